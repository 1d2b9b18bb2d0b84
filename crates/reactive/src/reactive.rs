//! All controllers behind one type, by name.
//!
//! What it does not do: it reads no file; scenario files are read one stratum above.

use tropism_body::{BodySpec, Command, Controller, Observer, Percept};
use tropism_core::parameter::{Parameter, ParameterSet};
use tropism_core::{OutOfBounds, TimeStep};

use crate::blend::{Blend, BlendParameters};
use crate::bug::{Algorithm, Bug, BugError, BugParameters};
use crate::course::{Channels, MissingChannel};
use crate::layers::{LayerParameters, Layers};
use crate::line::{LineFollower, LineParameters};
use crate::vehicle::{Kind, Vehicle, VehicleParameters};
use crate::wall::{WallFollower, WallParameters};
use crate::watchdog::{Watchdog, WatchdogParameters};

/// A controller as data.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReactiveSpec {
    /// A Braitenberg vehicle.
    Vehicle(Kind, VehicleParameters),
    /// Goal seeking and avoidance blended.
    Blend(BlendParameters),
    /// Wall following.
    Wall(WallParameters),
    /// Line following.
    Line(LineParameters),
    /// A bug algorithm.
    Bug(Algorithm, BugParameters),
    /// Subsumption layers.
    Layers(LayerParameters),
}

/// Names and meanings of the built-in controllers.
pub const BUILT_IN_CONTROLLERS: &[(&str, &str)] = &[
    ("braitenberg_1", "vehicle 1: the nearer something ahead, the slower"),
    ("braitenberg_2a", "vehicle 2a: flees and hurries"),
    ("braitenberg_2b", "vehicle 2b: attacks"),
    ("braitenberg_3a", "vehicle 3a: turns towards and rests"),
    ("braitenberg_3b", "vehicle 3b: the lesson's rule 0.6 - 0.8 p, turns away"),
    ("braitenberg_3c", "vehicle 3c: obstacles, goal and dark floor, each with a wiring"),
    ("goal_blend", "goal seeking and avoidance added up; sticks in corners"),
    ("goal_blend_escape", "the same; follows the boundary when it sticks"),
    ("wall_p", "wall on the right at 25 cm, proportional"),
    ("wall_pd", "wall on the right at 25 cm, proportional and differential"),
    ("wall_angle", "wall on the right at 25 cm, wall angle from the ray's hits"),
    ("line_digital", "line following with two digital sensors"),
    ("line_pd", "line following with two analogue sensors, PD"),
    ("bug0", "Bug0: follows a boundary until the goal's direction is free"),
    ("bug1", "Bug1: rounds every obstacle, leaves at the nearest point"),
    ("bug2", "Bug2: leaves on the line from start to goal"),
    ("tangent_bug", "TangentBug with the robot's three rays"),
    ("subsumption", "layers: cruise, goal, avoid, retreat"),
];

/// Why a controller was refused for a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReactiveError {
    /// The body lacks a channel.
    Channel(MissingChannel),
    /// Numbers that contradict one another.
    Bug(BugError),
    /// A lower limit that is not below its upper one.
    Swapped(&'static str, &'static str),
}

impl core::fmt::Display for ReactiveError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Channel(missing) => missing.fmt(f),
            Self::Bug(error) => error.fmt(f),
            Self::Swapped(low, high) => write!(f, "`{low}` must be below `{high}`"),
        }
    }
}

impl core::error::Error for ReactiveError {}

/// Hands out one parameter set of a spec.
macro_rules! each {
    ($spec:expr, $p:ident => $body:expr) => {
        match $spec {
            ReactiveSpec::Vehicle(_, $p) => $body,
            ReactiveSpec::Blend($p) => $body,
            ReactiveSpec::Wall($p) => $body,
            ReactiveSpec::Line($p) => $body,
            ReactiveSpec::Bug(_, $p) => $body,
            ReactiveSpec::Layers($p) => $body,
        }
    };
}

fn table_of<P: ParameterSet>(_: &P) -> &'static [Parameter] {
    P::TABLE
}

impl ReactiveSpec {
    /// A built-in controller; `None` for a name that is not in [`BUILT_IN_CONTROLLERS`].
    pub fn named(name: &str) -> Option<Self> {
        let vehicle = |kind| Self::Vehicle(kind, VehicleParameters::default());
        let bug = |algorithm| Self::Bug(algorithm, BugParameters::default());
        let wall =
            |kd, angle| Self::Wall(WallParameters { kd, angle, ..WallParameters::default() });
        let blend =
            |escapes| Self::Blend(BlendParameters { escapes, ..BlendParameters::default() });
        Some(match name {
            "braitenberg_1" => vehicle(Kind::One),
            "braitenberg_2a" => vehicle(Kind::TwoA),
            "braitenberg_2b" => vehicle(Kind::TwoB),
            "braitenberg_3a" => vehicle(Kind::ThreeA),
            "braitenberg_3b" => vehicle(Kind::ThreeB),
            "braitenberg_3c" => vehicle(Kind::ThreeC),
            "goal_blend" => blend(0.0),
            "goal_blend_escape" => blend(1.0),
            "wall_p" => wall(0.0, 0.0),
            "wall_pd" => wall(WallParameters::default().kd, 0.0),
            "wall_angle" => wall(0.0, 0.5),
            "line_digital" => Self::Line(LineParameters {
                analogue: 0.0,
                kp: 0.35,
                kd: 0.0,
                slow: 0.0,
                grace: 0.3,
                ..LineParameters::default()
            }),
            "line_pd" => Self::Line(LineParameters::default()),
            "bug0" => bug(Algorithm::Bug0),
            "bug1" => bug(Algorithm::Bug1),
            "bug2" => bug(Algorithm::Bug2),
            "tangent_bug" => bug(Algorithm::Tangent),
            "subsumption" => Self::Layers(LayerParameters::default()),
            _ => return None,
        })
    }

    /// Declarations of its parameters.
    pub fn table(&self) -> &'static [Parameter] {
        each!(self, p => table_of(p))
    }

    /// Value of a parameter by its index in the table.
    pub fn value_at(&self, index: usize) -> Option<f32> {
        each!(self, p => p.value_at(index))
    }

    /// Sets a parameter by its index in the table.
    ///
    /// # Errors
    /// [`OutOfBounds`] when the value is refused.
    pub fn set_at(&mut self, index: usize, value: f32) -> Result<(), OutOfBounds> {
        each!(self, p => p.set_at(index, value))
    }

    /// Checks the rules between its numbers.
    ///
    /// # Errors
    /// [`ReactiveError`] names the first broken rule.
    pub fn check(&self) -> Result<(), ReactiveError> {
        let below = |low: (&'static str, f32), high: (&'static str, f32)| {
            if low.1 < high.1 { Ok(()) } else { Err(ReactiveError::Swapped(low.0, high.0)) }
        };
        match self {
            Self::Bug(_, p) => p.check().map_err(ReactiveError::Bug),
            Self::Wall(p) => below(("corner", p.corner), ("clear", p.clear)),
            Self::Line(p) => below(("black", p.black), ("white", p.white)),
            Self::Layers(p) => {
                below(("avoid_enter", p.avoid_enter), ("avoid_leave", p.avoid_leave))?;
                below(("arrive", p.arrive), ("avoid_leave", p.avoid_leave))
            }
            // A goal that counts as reached before its obstacle counts as near is never rounded.
            Self::Blend(p) => below(("arrive", p.arrive), ("reach", p.reach)),
            Self::Vehicle(..) => Ok(()),
        }
    }
}

/// One controller of any kind.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "without an allocator there is no box")]
enum Kernel {
    Vehicle(Vehicle),
    Blend(Blend),
    Wall(WallFollower),
    Line(LineFollower),
    Bug(Bug),
    Layers(Layers),
}

/// A controller of any kind behind a watchdog.
#[derive(Clone, Copy, Debug)]
pub struct Reactive {
    kernel: Kernel,
    watchdog: Watchdog,
    spec: ReactiveSpec,
    channels: Channels,
    step: TimeStep,
}

impl Reactive {
    /// A controller before its first tick.
    ///
    /// # Errors
    /// [`ReactiveError`] for a body without wheels or for numbers that contradict one another.
    pub fn new(
        body: &BodySpec,
        step: TimeStep,
        spec: &ReactiveSpec,
    ) -> Result<Self, ReactiveError> {
        let channels = Channels::of(body).map_err(ReactiveError::Channel)?;
        let watchdog = Watchdog::new(channels, step, WatchdogParameters::default());
        spec.check()?;
        let kernel = kernel(channels, step, spec)?;
        Ok(Self { kernel, watchdog, spec: *spec, channels, step })
    }

    /// The sensors it reads, as bits: a runner may leave the others unmeasured.
    pub fn sensors_read(&self) -> u16 {
        match self.spec {
            ReactiveSpec::Vehicle(kind, _) if kind != Kind::ThreeC => self.channels.ranger_mask(),
            _ => u16::MAX,
        }
    }

    /// Another life: everything starts over.
    pub fn begin_life(&mut self) {
        if let Ok(fresh) = kernel(self.channels, self.step, &self.spec) {
            self.kernel = fresh;
        }
    }

    /// The bug algorithm inside, if it is one.
    pub const fn bug(&self) -> Option<&Bug> {
        match &self.kernel {
            Kernel::Bug(bug) => Some(bug),
            _ => None,
        }
    }

    /// The line follower inside, if it is one.
    pub const fn line(&self) -> Option<&LineFollower> {
        match &self.kernel {
            Kernel::Line(line) => Some(line),
            _ => None,
        }
    }

    /// The blend inside, if it is one.
    pub const fn blend(&self) -> Option<&Blend> {
        match &self.kernel {
            Kernel::Blend(blend) => Some(blend),
            _ => None,
        }
    }

    /// The wall follower inside, if it is one.
    pub const fn wall(&self) -> Option<&WallFollower> {
        match &self.kernel {
            Kernel::Wall(wall) => Some(wall),
            _ => None,
        }
    }
}

fn kernel(
    channels: Channels,
    step: TimeStep,
    spec: &ReactiveSpec,
) -> Result<Kernel, ReactiveError> {
    Ok(match *spec {
        ReactiveSpec::Vehicle(kind, p) => Kernel::Vehicle(Vehicle::new(channels, p, kind.wiring())),
        ReactiveSpec::Blend(p) => Kernel::Blend(Blend::new(channels, step, p)),
        ReactiveSpec::Wall(p) => Kernel::Wall(WallFollower::new(channels, step, p)),
        ReactiveSpec::Line(p) => Kernel::Line(LineFollower::new(channels, step, p)),
        ReactiveSpec::Bug(algorithm, p) => {
            Kernel::Bug(Bug::new(channels, step, algorithm, p).map_err(ReactiveError::Bug)?)
        }
        ReactiveSpec::Layers(p) => Kernel::Layers(Layers::new(channels, step, p, Layers::all())),
    })
}

/// Hands out the controller inside.
macro_rules! inside {
    ($kernel:expr, $c:ident => $body:expr) => {
        match $kernel {
            Kernel::Vehicle($c) => $body,
            Kernel::Blend($c) => $body,
            Kernel::Wall($c) => $body,
            Kernel::Line($c) => $body,
            Kernel::Bug($c) => $body,
            Kernel::Layers($c) => $body,
        }
    };
}

impl Controller for Reactive {
    #[inline]
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        inside!(&mut self.kernel, c => c.step(percept, command));
        self.watchdog.watch(command);
    }

    fn modules(&self) -> &'static [&'static str] {
        inside!(&self.kernel, c => c.modules())
    }

    fn controlling_module(&self) -> usize {
        inside!(&self.kernel, c => c.controlling_module())
    }

    fn observe(&self, observer: &mut dyn Observer) {
        inside!(&self.kernel, c => c.observe(observer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::course_robot;
    extern crate alloc;
    use alloc::string::ToString as _;

    #[test]
    fn unit_every_listed_controller_exists_and_its_defaults_are_within_their_bounds() {
        let step = TimeStep::new(1, 100).unwrap();
        for (name, _) in BUILT_IN_CONTROLLERS {
            let mut spec = ReactiveSpec::named(name).unwrap();
            Reactive::new(&course_robot(), step, &spec).unwrap();
            for i in 0..spec.table().len() {
                let value = spec.value_at(i).unwrap();
                spec.set_at(i, value).unwrap();
            }
        }
        assert_eq!(ReactiveSpec::named("bug3"), None);
    }

    #[test]
    fn unit_ct_05_and_bug_07_limits_entered_swapped_are_refused() {
        let refused = |name: &str, parameter: &str, value: f32| {
            let mut spec = ReactiveSpec::named(name).unwrap();
            let i = spec.table().iter().position(|p| p.name == parameter).unwrap();
            spec.set_at(i, value).unwrap();
            spec.check().is_err()
        };
        assert!(refused("bug2", "leave", 0.09));
        assert!(refused("bug2", "follow", 0.09) || !refused("bug2", "follow", 0.2));
        assert!(refused("wall_pd", "clear", 0.2));
        assert!(refused("line_pd", "white", 0.05));
        assert!(refused("subsumption", "avoid_leave", 0.2));
        for (name, parameter, sound, swapped) in [
            ("bug0", "enter", 0.1, 0.2),
            ("tangent_bug", "same", 0.1, 0.2),
            ("wall_p", "corner", 0.25, 1.9),
            ("wall_angle", "corner", 0.25, 1.9),
            ("line_digital", "black", 0.1, 0.95),
            ("subsumption", "avoid_enter", 0.3, 0.5),
        ] {
            assert!(!refused(name, parameter, sound), "{name} {parameter}");
            assert!(refused(name, parameter, swapped), "{name} {parameter}");
        }
    }

    #[test]
    fn unit_ct_05_a_refused_controller_never_moves_a_wheel() {
        let step = TimeStep::new(1, 100).unwrap();
        let mut spec = ReactiveSpec::named("subsumption").unwrap();
        let i = spec.table().iter().position(|p| p.name == "avoid_leave").unwrap();
        spec.set_at(i, 0.2).unwrap();
        // There is no controller that could: the error comes instead of it, and says what is wrong.
        let refused = Reactive::new(&course_robot(), step, &spec).unwrap_err();
        assert_eq!(refused, ReactiveError::Swapped("avoid_enter", "avoid_leave"));
        assert_eq!(refused.to_string(), "`avoid_enter` must be below `avoid_leave`");
    }

    #[test]
    fn unit_bv_03_an_arrival_wider_than_the_avoidance_is_refused() {
        for (name, wide) in [("goal_blend", 0.6), ("subsumption", 0.5)] {
            let mut spec = ReactiveSpec::named(name).unwrap();
            let i = spec.table().iter().position(|p| p.name == "arrive").unwrap();
            spec.set_at(i, wide).unwrap();
            assert!(matches!(spec.check(), Err(ReactiveError::Swapped("arrive", _))), "{name}");
        }
    }

    #[test]
    fn unit_a_body_without_wheels_is_refused() {
        let step = TimeStep::new(1, 100).unwrap();
        let spec = ReactiveSpec::named("bug2").unwrap();
        let refused = Reactive::new(&tropism_body::presets::reference_board(), step, &spec);
        assert!(matches!(refused, Err(ReactiveError::Channel(_))));
    }
}
