//! Benchmark scenes: full steps of eight arms under load.
//!
//! Counting is done from outside (`valgrind --tool=callgrind`), as the slope between two run
//! lengths; this module only makes the scenes and runs them.
//!
//! What it does not do: it reads no clock.

use tropism_core::{Purpose, Seed, Tick};
use tropism_octopus::{ArmParameters, Kind, LawKind, Octopus, Point, Settings};

use super::build::time_step;
use super::field::FormatError;

/// A scene for benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchScene {
    /// Four arms of 20 segments are sent to new places every 0.75 s; one obstacle.
    FourReaching,
    /// Eight arms of 20 segments, 4 obstacles, 8 foods; the arms fetch food and carry it about.
    EightForaging,
    /// Eight arms of 100 segments, 16 obstacles.
    Large,
}

impl BenchScene {
    /// All scenes.
    pub const ALL: [Self; 3] = [Self::FourReaching, Self::EightForaging, Self::Large];

    /// Name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FourReaching => "four",
            Self::EightForaging => "eight",
            Self::Large => "large",
        }
    }

    /// The scene of this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scene| scene.as_str() == name)
    }

    /// Arms at work, obstacles and foods.
    const fn size(self) -> (usize, u32, u32) {
        match self {
            Self::FourReaching => (4, 1, 0),
            Self::EightForaging => (8, 4, 8),
            Self::Large => (8, 16, 0),
        }
    }
}

const PLACES: Purpose = Purpose::named("octopus.bench.places");
/// Ticks between two assignments.
const PERIOD: u64 = 90;

/// A run under way.
#[derive(Debug)]
pub struct BenchRun {
    octopus: Octopus,
    scene: BenchScene,
}

impl BenchRun {
    /// Builds a scene.
    ///
    /// # Errors
    /// Never in practice; what the octopus says against the scene.
    pub fn new(scene: BenchScene, law: LawKind) -> Result<Self, FormatError> {
        let fault = |message: String| FormatError { line: 0, field: String::new(), message };
        let body = Point::new(400.0, 460.0);
        let parameters = match scene {
            BenchScene::Large => ArmParameters::new(100, 2.4, core::f64::consts::PI / 3.0, 1.5),
            _ => Ok(ArmParameters::default()),
        };
        let parameters = parameters.map_err(|e| fault(e.to_string()))?;
        let plain =
            if law == LawKind::Reference { Settings::reference() } else { Settings::default() };
        let settings = Settings { object_capacity: 32, ..plain };
        let mut octopus = Octopus::new(body, time_step(), &[parameters; 8], settings)
            .map_err(|e| fault(e.to_string()))?;
        let (_, obstacles, foods) = scene.size();
        for (kind, count, channel) in [(Kind::Food, foods, 1), (Kind::Obstacle, obstacles, 0)] {
            let mut draws = Seed(7).stream(PLACES, 0, channel).at(Tick(0));
            for i in 0..count {
                // Around the body in even directions, 90 to 220 px away, 9 to 15 px in radius.
                let share = f64::from(i) + 0.5 * f64::from(draws.uniform());
                let angle = 2.0 * core::f64::consts::PI * share / f64::from(count);
                let at = body + Point::unit(angle) * f64::from(draws.between(90.0, 220.0));
                let radius = f64::from(draws.between(9.0, 15.0));
                octopus.add_object(kind, at, radius, 1.0).map_err(|e| fault(e.to_string()))?;
            }
        }
        Ok(Self { octopus, scene })
    }

    /// Runs one tick, giving new assignments when they are due.
    pub fn step(&mut self) {
        let tick = self.octopus.tick().0;
        let (arms, ..) = self.scene.size();
        for arm in 0..arms {
            // An arm that has captured something carries it on at once: all are always at work.
            let is_done = !self.octopus.arms()[arm].is_active();
            if tick.is_multiple_of(PERIOD) || is_done {
                let turn = tick / PERIOD + u64::from(is_done) * (1 + tick);
                let place = self.place(arm, turn);
                let _ = self.octopus.assign_reach(arm, place);
            }
        }
        self.octopus.step();
    }

    /// A place for an arm: a food on every other turn if there is any, else within 40 to 210 px.
    fn place(&self, arm: usize, turn: u64) -> Point {
        let mut draws = Seed(7).stream(PLACES, arm as u32, 2).at(Tick(turn));
        let foods = self.octopus.objects().all().iter().filter(|o| o.kind == Kind::Food);
        let count = foods.clone().count() as u64;
        let mut foods = foods;
        if count > 0 && turn.is_multiple_of(2) {
            let index = (turn / 2 + arm as u64) % count;
            if let Some(food) = foods.nth(index as usize) {
                return food.position;
            }
        }
        let base = self.octopus.arms()[arm].arm().base();
        let away = f64::from(draws.between(40.0, 210.0));
        let angle = core::f64::consts::PI * f64::from(draws.signed_uniform());
        base + Point::unit(angle) * away
    }

    /// The octopus.
    pub const fn octopus(&self) -> &Octopus {
        &self.octopus
    }
}
