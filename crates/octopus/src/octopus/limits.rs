//! Margins and times of withdrawal, recoil and allocation.

/// Arms withdraw until they are this far from a critical hazard's rim, px.
pub(super) const WITHDRAW_MARGIN: f64 = 60.0;
/// Arms recoil until they are this far from a lesser hazard's zone, px.
pub(super) const RECOIL_MARGIN: f64 = 8.0;
/// A recoil begins when a segment is this close to the zone, px.
pub(super) const RECOIL_START: f64 = 1.0;
/// A recoil ends when every segment is this far from the zone, px.
pub(super) const RECOIL_END: f64 = 5.0;
/// Slowest recoil, share of full speed.
pub(super) const RECOIL_SHARE_MIN: f64 = 0.1;
/// Calm needed after a withdrawal before an assignment is resumed, s.
pub(super) const CALM_SECONDS: f64 = 0.5;
/// Ticks between two allocations.
pub(super) const ALLOCATION_TICKS: u64 = 12;
