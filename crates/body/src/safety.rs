//! Hard limits, applied last.
//!
//! Terms: the battery is *critical* below a floor of the energy channel; a part's *heat* is its
//! exertion above what it can sustain, summed over time.
//!
//! What it does not do: it never drives anything; it only puts channels to rest.

use tropism_core::{TimeStep, math};

use crate::actuator::{ActuatorBank, ActuatorSpec};
use crate::percept::Percept;
use crate::{BodySpec, MAX_ACTUATORS};

tropism_core::parameters! {
    /// Limits of the safety monitor.
    pub struct SafetyParameters {
        /// Share of the energy channel below which all actuators are put to rest.
        critical_energy: "1", 0.0..=1.0, 0.05, "reference firmware, safety monitor";
    }
}

/// How a channel is put to rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SafetyAction {
    /// At once, past the rate limit, as in the reference simulator.
    Force,
    /// Within the rate limit, as in the reference firmware.
    #[default]
    Write,
}

/// What the monitor did at a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SafetyReport {
    /// The battery is critical and everything is at rest.
    pub is_battery_critical: bool,
    /// Channels at rest because of heat, as bits.
    pub overheated: u16,
}

/// Watches the battery and the heat of every actuator.
///
/// Model: heat ← max(0, heat + (cost − sustained)·dt); a channel rests while heat > capacity. The
/// battery counts as critical by the last trusted reading of the energy channel: a sensor that
/// falls silent neither raises nor lifts the alarm.
///
/// # Source
/// Reference firmware: floor 0.05, sustained exertion 2.0, capacity 20. There no part of the
/// example body exceeds an exertion of 1, so its thermal limit cannot trip; bodies here declare
/// their own envelopes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SafetyMonitor {
    parameters: SafetyParameters,
    action: SafetyAction,
    dt_s: f32,
    energy_sensor: Option<u8>,
    energy_share: f32,
    heat: [f32; MAX_ACTUATORS],
    envelopes: [Envelope; MAX_ACTUATORS],
    /// Some channel can exert more within its range than it can sustain.
    can_heat: bool,
    report: SafetyReport,
}

/// Thermal envelope of a channel; one without heats up to nothing and has no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Envelope {
    cost_per_unit: f32,
    sustained_cost: f32,
    capacity: f32,
}

impl Envelope {
    const NONE: Self =
        Self { cost_per_unit: 0.0, sustained_cost: f32::INFINITY, capacity: f32::INFINITY };

    fn new(spec: &ActuatorSpec) -> Self {
        let &ActuatorSpec { cost_per_unit, sustained_cost, heat_capacity: capacity, .. } = spec;
        if sustained_cost > 0.0 {
            Self { cost_per_unit, sustained_cost, capacity }
        } else {
            Self::NONE
        }
    }
}

fn can_heat(spec: &ActuatorSpec) -> bool {
    let (low, high) = (math::abs(spec.min), math::abs(spec.max));
    let most = if low > high { low } else { high };
    spec.sustained_cost > 0.0 && most * spec.cost_per_unit > spec.sustained_cost
}

impl SafetyMonitor {
    /// A cold monitor for this body.
    pub fn new(
        body: &BodySpec,
        step: TimeStep,
        parameters: SafetyParameters,
        action: SafetyAction,
    ) -> Self {
        let mut envelopes = [Envelope::NONE; MAX_ACTUATORS];
        for (envelope, spec) in envelopes.iter_mut().zip(body.actuators.iter()) {
            *envelope = Envelope::new(spec);
        }
        Self {
            parameters,
            envelopes,
            can_heat: body.actuators.iter().any(can_heat),
            action,
            dt_s: step.seconds(),
            energy_sensor: body.energy_sensor,
            energy_share: 1.0,
            heat: [0.0; MAX_ACTUATORS],
            report: SafetyReport::default(),
        }
    }

    /// What was done at the last tick.
    pub const fn report(&self) -> SafetyReport {
        self.report
    }

    /// Heat of a channel, in exertion·seconds.
    pub fn heat(&self, channel: usize) -> f32 {
        self.heat.get(channel).copied().unwrap_or(0.0)
    }

    /// Applies the limits after the command of this tick.
    #[expect(clippy::inline_always, reason = "at every tick, and less than what its call saves")]
    #[inline(always)]
    pub fn enforce(&mut self, body: &BodySpec, percept: &Percept, bank: &mut ActuatorBank) {
        if let Some(channel) = self.energy_sensor.map(usize::from)
            && let Some(value) = percept.reading(channel).value()
            && let Some(spec) = body.sensors.get(channel)
        {
            self.energy_share = spec.share(value);
        }
        let is_critical =
            self.energy_sensor.is_some() && self.energy_share < self.parameters.critical_energy;
        // Parts that cannot heat up stay cold.
        let overheated =
            if self.can_heat || bank.was_out_of_range() { self.heat_up(bank) } else { 0 };
        let all = (1_u32 << bank.count()) - 1;
        let tripped = if is_critical { all as u16 } else { overheated };
        if tripped != 0 {
            self.put_to_rest(tripped, bank);
        }
        // Within the rate limit a part comes to rest only if the mind cannot push it back up.
        let deaf = if self.action == SafetyAction::Write { tripped } else { 0 };
        bank.hold_at_rest(tripped, deaf);
        self.report = SafetyReport { is_battery_critical: is_critical, overheated };
    }

    /// One tick of heat. Gives the channels that are too hot.
    #[inline(never)]
    fn heat_up(&mut self, bank: &ActuatorBank) -> u16 {
        let mut overheated = 0_u16;
        let places = self.heat.iter_mut().zip(&self.envelopes);
        for (channel, ((heat, part), value)) in places.zip(bank.values()).enumerate() {
            let excess = math::abs(*value) * part.cost_per_unit - part.sustained_cost;
            *heat = math::clamp(*heat + excess * self.dt_s, 0.0, part.capacity * 10.0);
            overheated |= u16::from(*heat > part.capacity) << channel;
        }
        overheated
    }

    #[inline(never)]
    fn put_to_rest(&self, channels: u16, bank: &mut ActuatorBank) {
        for channel in (0..bank.count()).filter(|channel| channels & (1 << channel) != 0) {
            let spec = &bank.specs()[channel];
            let rest = math::clamp(0.0, spec.min, spec.max);
            match self.action {
                SafetyAction::Force => bank.force(channel, rest),
                SafetyAction::Write => bank.write(channel, rest),
            }
        }
    }

    /// Forgets heat and alarm, as after a repair.
    pub fn reset(&mut self) {
        self.heat = [0.0; MAX_ACTUATORS];
        self.energy_share = 1.0;
        self.report = SafetyReport::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, Reading, presets};
    use tropism_core::Tick;

    fn percept(energy: Reading) -> Percept {
        let mut percept = Percept::default();
        let _ = percept.readings.push(energy);
        percept
    }

    #[test]
    fn unit_a_critical_battery_rests_everything_and_silence_keeps_the_alarm() {
        let body = presets::reference_simulator();
        let step = TimeStep::TWENTIETH;
        let mut bank = ActuatorBank::new(&body, step);
        let mut monitor =
            SafetyMonitor::new(&body, step, SafetyParameters::default(), SafetyAction::Force);
        bank.force(0, 1.0);
        monitor.enforce(&body, &percept(Reading::Missing), &mut bank);
        assert_eq!(bank.value(0), 1.0);
        for reading in [Reading::Fresh(0.04), Reading::Missing, Reading::NotFinite] {
            bank.force(0, 1.0);
            monitor.enforce(&body, &percept(reading), &mut bank);
            assert_eq!(bank.value(0), 0.0, "{reading:?}");
            assert!(monitor.report().is_battery_critical);
        }
        bank.force(0, 1.0);
        monitor.enforce(&body, &percept(Reading::Fresh(0.05)), &mut bank);
        assert_eq!(bank.value(0), 1.0);
    }

    #[test]
    fn unit_a_hot_part_trips_and_recovers() {
        let mut body = presets::reference_simulator();
        body.actuators[0].sustained_cost = 0.5;
        body.actuators[0].heat_capacity = 1.0;
        let step = TimeStep::TWENTIETH;
        let mut bank = ActuatorBank::new(&body, step);
        let mut monitor =
            SafetyMonitor::new(&body, step, SafetyParameters::default(), SafetyAction::Write);
        let mut command = Command::new();
        command.write(0, 1.0);
        let (mut trips, mut was_hot) = (0, false);
        for t in 0..2_000 {
            bank.apply(&command, Tick(t));
            monitor.enforce(&body, &percept(Reading::Fresh(0.8)), &mut bank);
            let is_hot = monitor.report().overheated == 1;
            trips += u32::from(is_hot && !was_hot);
            was_hot = is_hot;
            assert!(monitor.heat(0) < 1.3, "{}", monitor.heat(0));
        }
        assert!(trips > 5, "{trips}");
        assert_eq!(monitor.heat(1), 0.0);
    }
}
