//! The four stages of a layer's step.
//!
//! Symbols (seed → here): r → reading, s → percept, α^z → activation, α^{z+1} → A (a user's
//! activation), T → term, κ → kappa, G/g → goal, τ → pull per step, λ → rate, a → actuator.
//!
//! What it does not do: no stage looks at a layer that is not its neighbour; the compiler has
//! turned every such name into a slot.

use crate::eval::evaluate;
use crate::network::NEVER;
use crate::observe::{Fault, Observer, Term};
use crate::real::Real;
use crate::table::{
    ActuatorRecord, Integrator, NO_SLOT, PerceptRecord, RULE_DEACTIVATE, RULE_DEFAULT,
    ReadingRecord, Source, Table, TargetRecord,
};

/// One tick's work on borrowed memory.
pub(crate) struct Stepper<'s, R, O> {
    pub(crate) table: Table<'s, R>,
    pub(crate) values: &'s mut [R],
    pub(crate) marks: &'s mut [u32],
    pub(crate) observer: &'s mut O,
    pub(crate) faults: u32,
}

/// Sums over the behaviours that pull one actuator.
struct Pull<R> {
    weight: R,
    weighted: R,
    idle: R,
    low: R,
    high: R,
}

impl<R: Real, O: Observer<R>> Stepper<'_, R, O> {
    #[inline]
    fn get(&self, slot: u16) -> R {
        self.values.get(usize::from(slot)).copied().unwrap_or(R::ZERO)
    }

    #[inline]
    fn set(&mut self, slot: u16, value: R) {
        if let Some(place) = self.values.get_mut(usize::from(slot)) {
            *place = value;
        }
    }

    #[inline]
    fn source(&self, source: Source) -> R {
        match source {
            Source::Slot(slot) => self.get(slot),
            Source::Code(start) => evaluate(self.table.code(), usize::from(start), self.values),
        }
    }

    #[inline]
    fn age(&self, reading: u16) -> u32 {
        self.marks.get(usize::from(reading)).copied().unwrap_or(NEVER)
    }

    fn fault(&mut self, fault: Fault) {
        self.faults = self.faults.saturating_add(1);
        self.observer.fault(fault);
    }

    /// Seconds in a layer's period.
    fn seconds(&self, period: u32) -> R {
        let step = self.table.header().step;
        let base = R::of(f64::from(step.numerator())) / R::of(f64::from(step.denominator()));
        base * R::of(f64::from(period))
    }

    /// Takes over valid readings and ages the others.
    pub(crate) fn readings(&mut self, readings: &[R]) {
        let header = *self.table.header();
        for index in 0..header.readings {
            let slot = header.first_reading + index;
            let record = self.table.reading(index);
            let given = readings.get(usize::from(index)).copied().unwrap_or(R::of(f64::NAN));
            if let Some(value) = self.within(given, record) {
                self.set(slot, value);
                self.mark(index, 0);
                continue;
            }
            let age = match self.age(index) {
                NEVER => NEVER,
                age => (age + 1).min(NEVER - 1),
            };
            self.mark(index, age);
            if record.rule == RULE_DEFAULT && age > u32::from(record.grace) {
                let (value, rest) = (self.get(slot), self.get(record.default));
                let share = if age == NEVER { R::ONE } else { self.get(record.decay) };
                let way = if record.angle == 0 { rest - value } else { (rest - value).wrap() };
                let moved = value + share * way;
                self.set(slot, if record.angle == 0 { moved } else { moved.wrap() });
            }
        }
    }

    /// A given reading within its physical range; an infinity counts as the nearer end where a
    /// range is known, and everything else that is not finite as missing.
    #[inline]
    fn within(&self, given: R, record: ReadingRecord) -> Option<R> {
        let mut value = given;
        if record.angle != 0 {
            return value.finite().then(|| value.wrap());
        }
        if record.low != NO_SLOT && value < self.get(record.low) {
            value = self.get(record.low);
        }
        if record.high != NO_SLOT && value > self.get(record.high) {
            value = self.get(record.high);
        }
        value.finite().then_some(value)
    }

    #[inline]
    fn mark(&mut self, at: u16, mark: u32) {
        if let Some(place) = self.marks.get_mut(usize::from(at)) {
            *place = mark;
        }
    }

    /// Clamps the mode inputs to [0, 1].
    pub(crate) fn modes(&mut self, modes: &[R]) {
        let header = *self.table.header();
        for index in 0..header.modes {
            let mode = modes.get(usize::from(index)).copied().unwrap_or(R::ZERO);
            self.set(header.first_mode + index, mode.unit());
        }
    }

    /// s ← S(r, s, percepts below, a above); averages s ← s + (1 − e^(−dt/T))·(x − s).
    pub(crate) fn percepts(&mut self, layer: u16) {
        let layer = self.table.layer(layer);
        for index in self.table.needs(layer.first_kept, layer.kept) {
            let record = self.table.percept(*index);
            self.set(record.previous, self.get(record.slot));
        }
        for index in layer.first_percept..layer.first_percept + layer.percepts {
            let record = self.table.percept(index);
            let before = self.get(record.slot);
            let value = self.source(record.source());
            if !value.finite() {
                self.fault(Fault::Percept(index));
                continue;
            }
            let needs = self.table.needs(record.first_need, record.needs);
            let is_seen = needs.iter().all(|r| self.age(*r) != NEVER);
            if !is_seen {
                continue;
            }
            let is_angle = record.flags & PerceptRecord::ANGLE != 0;
            let flag = self.table.header().readings + index;
            let has_started = self.marks.get(usize::from(flag)).is_some_and(|m| *m != 0);
            let is_mean = record.flags & PerceptRecord::MEAN != 0;
            let next = if is_mean && has_started {
                let way = if is_angle { (value - before).wrap() } else { value - before };
                before + self.get(record.gain) * way
            } else {
                value
            };
            self.set(record.slot, if is_angle { next.wrap() } else { next });
            if !has_started {
                self.mark(flag, 1);
            }
        }
    }

    /// α ← clamp(α + dt·(Σ A·T − κ·α·Π(1 − A))), all behaviours of a layer at once.
    pub(crate) fn activations(&mut self, layer: u16, period: u32) {
        let dt = self.seconds(period);
        let layer = self.table.layer(layer);
        let scratch = self.table.header().scratch;
        for offset in 0..layer.behaviours {
            let index = layer.first_behaviour + offset;
            let record = self.table.behaviour(index);
            let alpha = self.get(record.slot);
            let is_blind = self.is_blind(record.first_need, record.needs);
            let (mut sum, mut nobody) = (R::ZERO, R::ONE);
            for user in record.first_user..record.first_user + record.users {
                if is_blind {
                    break;
                }
                let term = self.table.user(user);
                let activation = self.get(term.activation);
                nobody = nobody * (R::ONE - activation);
                let rate = self.source(term.source());
                if rate.finite() {
                    sum = sum + activation * rate;
                    let change = dt * (activation * rate);
                    self.observer.term(user, index, Term { activation, rate, change });
                } else {
                    self.fault(Fault::Term(user));
                }
            }
            let decay = self.get(record.kappa) * alpha * nobody;
            self.observer.decay(index, -(dt * decay));
            self.set(scratch + offset, (alpha + dt * (sum - decay)).unit());
        }
        for offset in 0..layer.behaviours {
            let record = self.table.behaviour(layer.first_behaviour + offset);
            let next = self.get(scratch + offset);
            self.set(record.slot, next);
        }
    }

    /// True when a needed reading is older than its grace.
    fn is_blind(&self, first_need: u16, needs: u16) -> bool {
        self.table.needs(first_need, needs).iter().any(|reading| {
            let record = self.table.reading(*reading);
            record.rule == RULE_DEACTIVATE && self.age(*reading) > u32::from(record.grace)
        })
    }

    /// Moves the layer's actuators by the additive pulls of their behaviours.
    pub(crate) fn actuators(&mut self, layer: u16, period: u32) {
        let dt = self.seconds(period);
        let layer = self.table.layer(layer);
        for index in layer.first_actuator..layer.first_actuator + layer.actuators {
            let record = self.table.actuator(index);
            let before = self.get(record.slot);
            let pull = self.pull(index, &record, before, dt);
            let mut next = before;
            if pull.weight > R::ZERO {
                next = match self.table.header().integrator {
                    Integrator::Paper => before + pull.weighted,
                    Integrator::Exact => {
                        let way = pull.weighted / pull.weight;
                        let moved = before + way * (R::ONE - (-pull.weight).exp());
                        // Rounding must not carry the value past the outermost target.
                        moved.clip(pull.low, pull.high)
                    }
                };
            }
            if record.flags & ActuatorRecord::ANGLE != 0 {
                next = next.wrap();
            }
            if record.low != NO_SLOT {
                next = next.most(self.get(record.low));
            }
            if record.high != NO_SLOT {
                next = next.least(self.get(record.high));
            }
            self.set(record.slot, if next.finite() { next } else { before });
        }
    }

    /// Sums weight·(g − a) over the behaviours, and over the rest target by Π(1 − α).
    fn pull(&mut self, actuator: u16, record: &ActuatorRecord, a: R, dt: R) -> Pull<R> {
        let (weight, weighted) = (R::ZERO, R::ZERO);
        let mut pull = Pull { weight, weighted, idle: R::ONE, low: a, high: a };
        let is_angle = record.flags & ActuatorRecord::ANGLE != 0;
        let winner = (record.flags & ActuatorRecord::MAX != 0).then(|| self.winner(record));
        for index in record.first_target..record.first_target + record.targets {
            let target = self.table.target(index);
            let alpha = self.get(target.activation);
            pull.idle = pull.idle * (R::ONE - alpha);
            if alpha <= R::ZERO || winner.is_some_and(|w| w != index) {
                continue;
            }
            let goal = self.source(target.goal_source());
            let weight = self.weight(&target, dt) * alpha;
            if !(goal.finite() && weight.finite()) {
                self.fault(Fault::Target(index));
                continue;
            }
            self.observer.target(index, actuator, goal, weight);
            pull.add(goal, weight, a, is_angle);
        }
        if record.flags & ActuatorRecord::REST != 0 && pull.idle > R::ZERO {
            let weight = self.get(record.rest_rate) * dt * pull.idle;
            pull.add(self.get(record.rest), weight, a, is_angle);
        }
        pull
    }

    /// Pull per step of a fully active behaviour: λ·dt, or τ; the exact integrator turns τ into
    /// −ln(1 − τ), which reaches the same value after one step alone. Never negative.
    fn weight(&self, target: &TargetRecord, dt: R) -> R {
        let rate = self.source(target.rate_source()).most(R::ZERO);
        if target.per_step == 0 {
            return rate * dt;
        }
        match self.table.header().integrator {
            Integrator::Paper => rate,
            Integrator::Exact => -(R::ONE - rate.least(R::ALMOST_ONE)).ln(),
        }
    }

    /// The target of the most active behaviour; the first of equals.
    fn winner(&self, record: &ActuatorRecord) -> u16 {
        let (mut best, mut most) = (record.first_target, R::ZERO);
        for index in record.first_target..record.first_target + record.targets {
            let alpha = self.get(self.table.target(index).activation);
            if alpha > most {
                (best, most) = (index, alpha);
            }
        }
        best
    }
}

impl<R: Real> Pull<R> {
    #[inline]
    fn add(&mut self, goal: R, weight: R, a: R, is_angle: bool) {
        let way = if is_angle { (goal - a).wrap() } else { goal - a };
        self.weight = self.weight + weight;
        self.weighted = self.weighted + weight * way;
        if weight > R::ZERO {
            self.low = self.low.least(a + way);
            self.high = self.high.most(a + way);
        }
    }
}
