//! Controllers without a mind, to compare with.

use tropism_body::{BodySpec, Command, Controller, Observer, Percept};
use tropism_core::{Purpose, Seed, Stream, Tick, TimeStep, math};

const WALK: Purpose = Purpose::named("control.random-walk");
/// The actuators it drives with.
const WHEELS: [usize; 2] = [0, 1];

/// Drives ahead and turns now and then, or when bumped.
///
/// Model: the timer runs down; at its end, or on a bump, timer = 1 + 3·|u| s and turn = u′/2 with
/// u, u′ uniform in [−1, 1); wheels 0.4 ∓ turn.
///
/// # Determinism
/// Draws: two per tick at which it turns, from the stream (seed, random walk, robot).
///
/// # Source
/// Reference simulator, null model.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomWalk {
    bump: Option<usize>,
    dt_s: f32,
    stream: Stream,
    age: Tick,
    timer_s: f32,
    turn: f32,
    has_turned: bool,
}

impl RandomWalk {
    /// A walk on the first two actuators of the body; the sensor named `bump` or `touch_bump`
    /// makes it turn, if there is one.
    pub fn new(body: &BodySpec, step: TimeStep, seed: Seed, robot: u32) -> Self {
        Self {
            bump: body.sensor("bump").or_else(|| body.sensor("touch_bump")),
            dt_s: step.seconds(),
            stream: seed.stream(WALK, robot, 0),
            age: Tick(0),
            timer_s: 0.0,
            turn: 0.0,
            has_turned: false,
        }
    }
}

impl Controller for RandomWalk {
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        self.timer_s -= self.dt_s;
        let is_bumped = self.bump.is_some_and(|i| percept.reading(i).value().unwrap_or(0.0) > 0.5);
        self.has_turned = self.timer_s <= 0.0 || is_bumped;
        if self.has_turned {
            let mut draws = self.stream.at(self.age);
            self.timer_s = 1.0 + 3.0 * math::abs(draws.signed_uniform());
            self.turn = 0.5 * draws.signed_uniform();
        }
        command.write(WHEELS[0], 0.4 - self.turn);
        command.write(WHEELS[1], 0.4 + self.turn);
        self.age = self.age.next();
    }

    fn senses_used(&self) -> u16 {
        self.bump.map_or(0, |channel| 1 << channel)
    }

    fn modules(&self) -> &'static [&'static str] {
        &["ahead", "turn"]
    }

    fn controlling_module(&self) -> usize {
        usize::from(self.has_turned)
    }

    fn observe(&self, observer: &mut dyn Observer) {
        observer.value("timer_s", None, f64::from(self.timer_s));
        observer.value("turn", None, f64::from(self.turn));
    }
}

/// Writes 0 to every actuator, always: the brick any lifespan has to be compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct DoNothing {
    actuators: usize,
}

impl DoNothing {
    /// For this body.
    pub fn new(body: &BodySpec) -> Self {
        Self { actuators: body.actuators.len() }
    }
}

impl Controller for DoNothing {
    fn step(&mut self, _percept: &Percept, command: &mut Command) {
        for channel in 0..self.actuators {
            command.write(channel, 0.0);
        }
    }

    fn senses_used(&self) -> u16 {
        0
    }

    fn modules(&self) -> &'static [&'static str] {
        &["nothing"]
    }

    fn controlling_module(&self) -> usize {
        0
    }

    fn observe(&self, _observer: &mut dyn Observer) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism_body::{Reading, presets};

    #[test]
    fn unit_a_bump_makes_the_walk_turn_and_silence_does_not() {
        let body = presets::reference_simulator();
        let mut walk = RandomWalk::new(&body, TimeStep::TWENTIETH, Seed(1), 0);
        let mut percept = Percept::default();
        for _ in 0..7 {
            let _ = percept.readings.push(Reading::Missing);
        }
        let mut command = Command::new();
        walk.step(&percept, &mut command);
        let first = walk.turn;
        walk.step(&percept, &mut command);
        assert_eq!(walk.turn, first);
        percept.readings[4] = Reading::Fresh(1.0);
        walk.step(&percept, &mut command);
        assert_ne!(walk.turn, first);
        let (left, right) = (command.target(0).unwrap(), command.target(1).unwrap());
        assert!((left + right - 0.8).abs() < 1e-6);
    }
}
