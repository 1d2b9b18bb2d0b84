//! Actuator channels: what they are, and how commands become movements.

use tropism_core::{FixedList, Name, Tick, TimeStep, math};

use crate::command::Command;
use crate::percept::Percept;
use crate::{BodySpec, MAX_ACTUATORS};

/// Seconds for which a write by hand keeps the mind off a channel.
pub const MANUAL_SECONDS: f64 = 3.0;

/// The physical kind of an actuator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ActuatorKind {
    /// Pulse width, one direction.
    #[default]
    PwmUnipolar,
    /// Pulse width and a direction pin.
    PwmBidirectional,
    /// On above one half.
    Digital,
    /// Servo with an angle.
    Servo,
}

/// One actuator channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActuatorSpec {
    /// Name, unique among all channels of the body.
    pub name: Name,
    /// Physical kind.
    pub kind: ActuatorKind,
    /// Lowest command.
    pub min: f32,
    /// Highest command.
    pub max: f32,
    /// Largest change per second; 0 is unlimited.
    pub rate_per_s: f32,
    /// Exertion per unit of command, for the physiology and the thermal envelope.
    pub cost_per_unit: f32,
    /// Current at full command, A.
    pub current_a: f32,
    /// Exertion the part can give for ever; above it heat builds up. 0 is no envelope.
    pub sustained_cost: f32,
    /// Heat (exertion above the sustained one, times seconds) at which the part trips.
    pub heat_capacity: f32,
}

impl ActuatorSpec {
    /// Sustained exertion and heat capacity of the reference firmware.
    pub const REFERENCE_ENVELOPE: (f32, f32) = (2.0, 20.0);

    /// A channel with the reference thermal envelope.
    pub const fn new(name: &str, kind: ActuatorKind, min: f32, max: f32) -> Self {
        let (sustained_cost, heat_capacity) = Self::REFERENCE_ENVELOPE;
        Self {
            name: Name::literal(name),
            kind,
            min,
            max,
            rate_per_s: 0.0,
            cost_per_unit: 0.0,
            current_a: 0.0,
            sustained_cost,
            heat_capacity,
        }
    }

    /// The same channel with a rate limit, an exertion and a current.
    #[must_use]
    pub const fn costing(self, rate_per_s: f32, cost_per_unit: f32, current_a: f32) -> Self {
        Self { rate_per_s, cost_per_unit, current_a, ..self }
    }

    /// Width of the command range.
    #[inline]
    pub fn span(&self) -> f32 {
        self.max - self.min
    }
}

/// What the mind can feel of an actuator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActuatorState {
    /// Present value after clamping and rate limit.
    pub value: f32,
    /// A person holds the channel; writes of the mind are ignored.
    pub is_manual: bool,
    /// The safety monitor holds the channel at rest.
    pub is_tripped: bool,
}

/// The actuator channels of a body: values, rate limits, manual override.
///
/// Model: value ← clamp(target, min, max), then |Δ| ≤ rate·dt. A target that is not finite leaves
/// the value as it is.
///
/// # Example
/// ```
/// use tropism_body::{ActuatorBank, Command, presets};
/// use tropism_core::{Tick, TimeStep};
/// let mut bank = ActuatorBank::new(&presets::reference_simulator(), TimeStep::TWENTIETH);
/// let mut command = Command::new();
/// command.write(0, 1.0);
/// bank.apply(&command, Tick(0));
/// assert_eq!(bank.value(0), 0.1); // 2 per second for 1/20 s
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActuatorBank {
    specs: FixedList<ActuatorSpec, MAX_ACTUATORS>,
    limits: [Limits; MAX_ACTUATORS / LANES],
    manual_ticks: u64,
    values: [f32; MAX_ACTUATORS],
    manual_until: [Tick; MAX_ACTUATORS],
    /// The latest of them.
    manual_last: Tick,
    tripped: u16,
    deaf: u16,
    was_out_of_range: bool,
}

/// Channels driven at a time: the least register of processors with lanes, so that a mind which
/// drives but two wheels pays for no more.
const LANES: usize = 4;
/// The bit of each of them.
const BITS: [u32; LANES] = [1, 2, 4, 8];

/// Bounds of a group of channels, and their largest change per tick; 0 is unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Limits {
    min: [f32; LANES],
    max: [f32; LANES],
    change_max: [f32; LANES],
}

impl ActuatorBank {
    /// All channels at rest: 0, or the bound nearest to it.
    pub fn new(body: &BodySpec, step: TimeStep) -> Self {
        let mut limits = [Limits::default(); MAX_ACTUATORS / LANES];
        let mut values = [0.0; MAX_ACTUATORS];
        for (i, spec) in body.actuators.iter().enumerate() {
            let (group, lane) = (&mut limits[i / LANES], i % LANES);
            (group.min[lane], group.max[lane]) = (spec.min, spec.max);
            group.change_max[lane] = spec.rate_per_s * step.seconds();
            values[i] = math::clamp(0.0, spec.min, spec.max);
        }
        Self {
            specs: body.actuators,
            limits,
            manual_ticks: step.ticks_in(MANUAL_SECONDS),
            values,
            manual_until: [Tick(0); MAX_ACTUATORS],
            manual_last: Tick(0),
            tripped: 0,
            deaf: 0,
            was_out_of_range: false,
        }
    }

    /// The channels.
    pub fn specs(&self) -> &[ActuatorSpec] {
        &self.specs
    }

    /// Number of channels.
    #[inline]
    pub fn count(&self) -> usize {
        self.specs.len()
    }

    /// Present value of a channel; 0 for one that does not exist.
    #[inline]
    pub fn value(&self, channel: usize) -> f32 {
        self.values.get(channel).copied().unwrap_or(0.0)
    }

    /// Present values in channel order.
    #[inline]
    pub fn values(&self) -> &[f32] {
        &self.values[..self.specs.len()]
    }

    /// Present values of all places, 0 where there is no channel; every one is finite.
    #[inline]
    pub const fn all_values(&self) -> &[f32; MAX_ACTUATORS] {
        &self.values
    }

    /// Exertion of one channel: |value| · cost per unit.
    #[inline]
    pub fn cost(&self, channel: usize) -> f32 {
        self.specs.get(channel).map_or(0.0, |s| math::abs(self.values[channel]) * s.cost_per_unit)
    }

    /// Drives one channel towards a target within its range and rate.
    #[inline]
    pub fn write(&mut self, channel: usize, target: f32) {
        if channel < self.count() {
            let group = &self.limits[channel / LANES];
            self.values[channel] = group.moved(channel % LANES, self.values[channel], target);
        }
    }

    /// Sets one channel past range and rate; for safety only.
    #[inline]
    pub fn force(&mut self, channel: usize, value: f32) {
        if let Some(spec) = self.specs.get(channel)
            && value.is_finite()
        {
            self.values[channel] = value;
            self.was_out_of_range |= value < spec.min || value > spec.max;
        }
    }

    /// True once a value was forced past the range of its channel.
    pub(crate) const fn was_out_of_range(&self) -> bool {
        self.was_out_of_range
    }

    /// A write by hand: the mind is kept off the channel for [`MANUAL_SECONDS`].
    pub fn write_by_hand(&mut self, channel: usize, target: f32, tick: Tick) {
        if channel < self.count() {
            self.write(channel, target);
            self.manual_until[channel] = Tick(tick.0 + self.manual_ticks);
            self.manual_last = self.manual_last.max(self.manual_until[channel]);
        }
    }

    /// True while a person holds the channel.
    #[inline]
    pub fn is_manual(&self, channel: usize, tick: Tick) -> bool {
        self.manual_until.get(channel).is_some_and(|until| tick < *until)
    }

    /// Carries out a command; channels held by hand, or at rest for safety, ignore it.
    #[expect(clippy::inline_always, reason = "at every tick, and little more than its call")]
    #[inline(always)]
    pub fn apply(&mut self, command: &Command, tick: Tick) {
        let held = if tick < self.manual_last { self.held_by_hand(tick) } else { 0 };
        let all = (1_u32 << self.count()) - 1;
        let heeded = command.written() & all as u16 & !(held | self.deaf);
        let values = self.values.as_chunks_mut::<LANES>().0.iter_mut();
        let targets = command.targets().as_chunks::<LANES>().0;
        let mut rest = u32::from(heeded);
        for ((values, targets), limits) in values.zip(targets).zip(&self.limits) {
            if rest == 0 {
                break;
            }
            let next = limits.all_moved(*values, *targets);
            for ((value, next), bit) in values.iter_mut().zip(next).zip(BITS) {
                *value = math::choose(rest & bit != 0, next, *value);
            }
            rest >>= LANES;
        }
    }

    /// Channels that a person holds, as bits.
    #[cold]
    fn held_by_hand(&self, tick: Tick) -> u16 {
        let mut held = 0;
        for channel in 0..self.count() {
            held |= u16::from(self.is_manual(channel, tick)) << channel;
        }
        held
    }

    /// Marks channels that safety holds, and those that ignore commands until they are released.
    pub(crate) fn hold_at_rest(&mut self, tripped: u16, deaf: u16) {
        self.tripped = tripped;
        self.deaf = deaf;
    }

    /// Writes the actuator states of this tick into a percept.
    #[expect(clippy::inline_always, reason = "at every tick, and less than what its call costs")]
    #[inline(always)]
    pub fn feel_into(&self, tick: Tick, percept: &mut Percept) {
        let held = if tick < self.manual_last { self.held_by_hand(tick) } else { 0 };
        let value = |channel: usize| self.values[channel & (MAX_ACTUATORS - 1)];
        if held | self.tripped == 0 {
            percept.actuators.refill_all(self.count(), |channel| ActuatorState {
                value: value(channel),
                is_manual: false,
                is_tripped: false,
            });
        } else {
            percept.actuators.refill(self.count(), |channel| ActuatorState {
                value: value(channel),
                is_manual: held & (1 << channel) != 0,
                is_tripped: self.tripped & (1 << channel) != 0,
            });
        }
    }

    /// Restores values felt earlier, as when a recorded run is taken up again.
    pub fn restore_values(&mut self, values: &[f32]) {
        for (channel, value) in values.iter().enumerate() {
            self.force(channel, *value);
        }
    }
}

impl Limits {
    /// As [`Self::moved`] for the whole group: loops of one choice each, which compilers turn into
    /// whole-register ones.
    #[inline]
    fn all_moved(&self, now: [f32; LANES], targets: [f32; LANES]) -> [f32; LANES] {
        let mut next = [0.0; LANES];
        for i in 0..LANES {
            next[i] = math::clamp_number(targets[i], self.min[i], self.max[i]);
        }
        let mut change = [0.0; LANES];
        for i in 0..LANES {
            change[i] =
                math::clamp_number(next[i] - now[i], -self.change_max[i], self.change_max[i]);
        }
        for i in 0..LANES {
            next[i] = math::choose(self.change_max[i] > 0.0, now[i] + change[i], next[i]);
        }
        for i in 0..LANES {
            next[i] = math::choose(targets[i].is_finite(), next[i], now[i]);
        }
        next
    }

    /// Value of a channel after one step towards a target. Choices only, no branches, so that a
    /// group of channels moves at once.
    #[inline]
    fn moved(&self, lane: usize, now: f32, target: f32) -> f32 {
        let most = self.change_max[lane];
        let next = math::clamp(target, self.min[lane], self.max[lane]);
        let slowed = now + math::clamp(next - now, -most, most);
        let moved = if most > 0.0 { slowed } else { next };
        if target.is_finite() { moved } else { now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets;

    fn bank() -> ActuatorBank {
        ActuatorBank::new(&presets::reference_simulator(), TimeStep::TWENTIETH)
    }

    #[test]
    fn unit_a_hand_keeps_the_mind_off_for_three_seconds() {
        let mut bank = bank();
        bank.write_by_hand(3, 1.0, Tick(10));
        let mut command = Command::new();
        command.write(3, 0.0);
        bank.apply(&command, Tick(69));
        assert_eq!(bank.value(3), 1.0);
        bank.apply(&command, Tick(70));
        assert_eq!(bank.value(3), 0.0);
    }

    #[test]
    fn unit_ct_03_a_target_that_is_not_finite_moves_nothing() {
        let mut bank = bank();
        bank.write(0, 0.05);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            bank.write(0, bad);
            bank.force(0, bad);
        }
        assert_eq!(bank.value(0), 0.05);
    }

    #[test]
    fn prop_values_stay_in_range_and_within_the_rate() {
        let mut bank = bank();
        let mut draws =
            tropism_core::Seed(3).stream(tropism_core::Purpose::named("t"), 0, 0).at(Tick(0));
        for _ in 0..20_000 {
            let channel = draws.below(5) as usize;
            let before = bank.value(channel);
            bank.write(channel, draws.between(-4.0, 4.0));
            let (spec, after) = (bank.specs()[channel], bank.value(channel));
            assert!((spec.min..=spec.max).contains(&after));
            assert!(spec.rate_per_s <= 0.0 || (after - before).abs() <= 0.100_001);
        }
    }
}
