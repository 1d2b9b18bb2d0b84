//! Numbers of the bug algorithms and the rules between them.

use crate::course::RADIUS_M;

tropism_core::parameters! {
    /// Numbers of a bug algorithm.
    pub struct BugParameters {
        /// Side of the boundary: 1 keeps it on the right (turns left at a hit), 0 on the left.
        boundary_right: "1", 0.0..=1.0, 1.0, "choice: either side works";
        /// Rangers (1) or contact alone (0).
        ranging: "1", 0.0..=1.0, 1.0, "Lumelsky and Stepanov (1987) need contact alone";
        /// Wheel command straight ahead.
        base: "1", 0.05..=1.0, 0.5, "choice: as the lesson's cruise";
        /// Turn command per rad of goal bearing.
        turn_gain: "1/rad", 0.05..=2.0, 0.4, "choice";
        /// Front range at which a boundary is entered.
        enter: "m", 0.02..=1.0, 0.10, "choice: the body turns on the spot in less";
        /// Front range from which the way to the goal counts as free; above `enter`.
        leave: "m", 0.02..=2.0, 0.16, "choice: hysteresis of 6 cm";
        /// Range of the side rangers at which a boundary is entered.
        enter_side: "m", 0.02..=1.0, 0.04, "choice: half a radius";
        /// Distance of the centre from a followed boundary.
        follow: "m", 0.09..=1.0, 0.17, "choice: two radii and a centimetre";
        /// Places nearer than this are the same place.
        same: "m", 0.02..=1.0, 0.10, "choice: above odometry noise of a circuit";
        /// How much nearer to the goal a leave point must be than the hit point.
        closer: "m", 0.0..=1.0, 0.05, "choice";
        /// Distance at which the goal counts as reached.
        arrive: "m", 0.02..=1.0, 0.10, "choice";
        /// Share by which a goal reading corrects the reckoned position per tick; 0 is never.
        beacon_trust: "1", 0.0..=1.0, 0.02, "choice: time constant of 0.5 s at 100 Hz";
        /// Contact that lasts longer than this ends the run.
        collision: "s", 0.1..=60.0, 2.0, "choice";
        /// Time limit of a run.
        limit: "s", 1.0..=100_000.0, 900.0, "choice: several circuits of any course world";
    }
}

/// Numbers that contradict one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BugError {
    /// `leave` is not above `enter`: boundary and goal would take turns for ever.
    LeaveBelowEnter,
    /// `follow` leaves no room between body and boundary.
    FollowTooNear,
    /// `same` is not below `follow`: both sides of a thin wall would be one place.
    SameTooWide,
}

impl core::fmt::Display for BugError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::LeaveBelowEnter => "`leave` must be above `enter`",
            Self::FollowTooNear => "`follow` must be more than the radius of the body",
            Self::SameTooWide => "`same` must be below `follow`",
        })
    }
}

impl core::error::Error for BugError {}

impl BugParameters {
    /// Checks the rules between the numbers.
    ///
    /// # Errors
    /// [`BugError`] names the first broken rule.
    pub fn check(&self) -> Result<(), BugError> {
        if self.leave <= self.enter {
            return Err(BugError::LeaveBelowEnter);
        }
        if self.follow <= RADIUS_M + 0.005 {
            return Err(BugError::FollowTooNear);
        }
        if self.same >= self.follow {
            return Err(BugError::SameTooWide);
        }
        Ok(())
    }
}
