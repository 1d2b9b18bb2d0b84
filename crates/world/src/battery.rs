//! Batteries: charge, voltage and the loads that empty them.
//!
//! What it does not do: no ageing, no temperature, no self-discharge.

use tropism_core::math;

/// Who carries the robot's load at the station.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PowerModel {
    /// The station carries the load first and charges with what is left of its supply; the
    /// voltage sags with the current that really leaves the battery; the station can become FULL.
    #[default]
    Fed,
    /// The artefacts of the published simulator: the charger does not carry the load, so a docked
    /// battery stalls near 95 %; sag and motor noise follow the commanded wheel values even when
    /// the battery is empty; FULL is never reached; a new life resets pose and charge alone.
    Reference,
}

/// How one actuator loads the battery.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// current · |value|.
    Level {
        /// Actuator channel.
        channel: u8,
        /// A at value 1.
        current_a: f32,
    },
    /// current · |change of value per second|.
    Change {
        /// Actuator channel.
        channel: u8,
        /// A at 1 per second.
        current_a: f32,
    },
}

/// A battery and what hangs on it.
///
/// Model: terminal voltage V = cells·(empty + span·c(s)) − R·i + lift while charging, with charge
/// share s, curve c and load current i; ds/dt = i / (3600·capacity) with the net current i into the
/// battery.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatterySpec {
    /// Capacity, Ah.
    pub capacity_ah: f32,
    /// Current that always flows, A.
    pub idle_a: f32,
    /// Cells in series.
    pub cells: f32,
    /// Voltage of an empty cell, V.
    pub cell_empty_v: f32,
    /// Voltage of a full cell above the empty one at curve value 1, V.
    pub cell_span_v: f32,
    /// Inner resistance, Ω.
    pub resistance_ohm: f32,
    /// Rise of the terminal voltage while charging, V.
    pub charge_lift_v: f32,
    /// Corners (charge share, curve value) of the discharge curve, ascending.
    pub curve: [(f32, f32); 4],
}

impl BatterySpec {
    /// The battery of the reference body: three cells, 1 Ah.
    pub const REFERENCE: Self = Self {
        capacity_ah: 1.0,
        idle_a: 0.25,
        cells: 3.0,
        cell_empty_v: 3.0,
        cell_span_v: 1.2,
        resistance_ohm: 0.15,
        charge_lift_v: 0.3,
        curve: [(0.0, 0.0), (0.1, 0.45), (0.9, 0.85), (1.0, 1.0)],
    };

    /// Curve value of a charge share, linear between the corners.
    #[inline]
    pub fn curve_at(&self, soc: f32) -> f32 {
        let [c0, c1, c2, c3] = self.curve;
        let line =
            |(x0, y0): (f32, f32), (x1, y1): (f32, f32)| y0 + (y1 - y0) / (x1 - x0) * (soc - x0);
        if soc > c2.0 {
            line(c2, c3)
        } else if soc > c1.0 {
            line(c1, c2)
        } else {
            line(c0, c1)
        }
    }

    /// Voltage without load, V.
    #[inline]
    pub fn open_circuit_v(&self, soc: f32) -> f32 {
        self.cells * (self.cell_empty_v + self.cell_span_v * self.curve_at(soc))
    }

    /// Voltage of an empty battery and the width up to curve value 1, V.
    pub fn range_v(&self) -> (f32, f32) {
        (self.cells * self.cell_empty_v, self.cells * self.cell_span_v)
    }

    pub(crate) fn is_sound(&self) -> bool {
        let positive =
            [self.capacity_ah, self.cells, self.cell_empty_v, self.cell_span_v].map(|v| v > 0.0);
        let amounts = [self.idle_a, self.resistance_ohm, self.charge_lift_v].map(|v| v >= 0.0);
        let finite = [self.capacity_ah, self.idle_a, self.resistance_ohm, self.charge_lift_v]
            .map(f32::is_finite);
        positive.into_iter().chain(amounts).chain(finite).all(|ok| ok)
            && self.curve.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 <= w[1].1)
    }
}

/// Charge share after one step with this net current.
#[inline]
pub(crate) fn charged(soc: f32, net_a: f32, share_per_amp: f32) -> f32 {
    math::unit(soc + net_a * share_per_amp)
}
