//! A mission: go to a goal among four discs, turn home when energy runs low, park there.

use crate::course::Outcome;
use crate::driver::{NetworkDriver, NotWired, Sensing};
use crate::robot::{Disc, Robot, Walls};
use tropism_dynamics::{Observer, Real};
use tropism_dynamics_spec::Compiled;

/// Obstacles of the mission.
pub const DISCS: [Disc; 4] = [
    Disc { x: 0.8, y: 0.02, r: 0.14 },
    Disc { x: 1.45, y: -0.32, r: 0.12 },
    Disc { x: 1.5, y: 0.38, r: 0.12 },
    Disc { x: 2.1, y: 0.05, r: 0.12 },
];
/// Walls of the mission's sensing.
pub const WALLS: Walls = Walls { x: (-0.6, 3.4), y: (-1.2, 1.2) };
/// The goal.
pub const GOAL: (f64, f64) = (2.7, 0.1);
/// Seconds in which the battery runs from 1 to 0.
pub const BATTERY_S: f64 = 14.0;

/// What a tick looked like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Time, s.
    pub time: f64,
    /// Pose and wheel speeds after the tick.
    pub robot: Robot,
    /// Commands.
    pub command: (f64, f64),
    /// Activations of goto, home, idle and rest.
    pub activations: [f64; 4],
}

/// A mission as it went.
#[derive(Clone, Debug)]
pub struct Flight {
    /// Every tick.
    pub moments: Vec<Moment>,
    /// How it ended; a mission that does not collide runs to its end and counts as reached.
    pub outcome: Outcome,
    /// Smallest distance of the rim from a disc, m.
    pub clearance: f64,
    /// Changes of the winner between goto and home.
    pub switches: usize,
}

/// Flies the mission for so many seconds; `energy` maps time to battery.
///
/// # Errors
/// [`NotWired`] when the network lacks this robot's actuators.
pub fn fly<R: Real, O: Observer<R>>(
    compiled: &Compiled,
    seconds: f64,
    energy: &dyn Fn(f64) -> f64,
    observer: &mut O,
) -> Result<Flight, NotWired> {
    let step = compiled.header.step;
    let dt = f64::from(step.numerator()) / f64::from(step.denominator());
    let mut driver = NetworkDriver::<R>::new(compiled)?;
    let names = ["L1.goto", "L1.home", "L1.idle", "L0.rest"];
    let slots = names.map(|n| compiled.slot(n).unwrap_or_default());
    let mut robot = Robot::at(0.0, 0.0, 2.6);
    let mut flight =
        Flight { moments: Vec::new(), outcome: Outcome::Reached, clearance: 9.0, switches: 0 };
    let mut is_homing = false;
    for tick in 0..(seconds / dt).round() as u32 {
        let time = f64::from(tick) * dt;
        let ranges = Some(robot.ranges(&DISCS, Some(WALLS)));
        let sensing = Sensing { ranges, energy: energy(time), ..Sensing::of(robot) };
        let command = driver.drive_observed(&sensing, observer);
        robot.step(command.0, command.1, dt);
        let activations = slots.map(|s| driver.network.value(s).widen());
        // The winner counts once it is clearly ahead, so that the start at 0 is no switch.
        let ahead = activations[1] - activations[0];
        if ahead.abs() > 0.5 && (ahead > 0.0) != is_homing {
            is_homing = ahead > 0.0;
            flight.switches += 1;
        }
        flight.moments.push(Moment { time, robot, command, activations });
        flight.clearance = flight.clearance.min(robot.clearance(&DISCS, None));
        if flight.clearance < 0.0 {
            flight.outcome = Outcome::Collided;
            break;
        }
    }
    Ok(flight)
}

/// The battery of the mission.
pub fn battery(time: f64) -> f64 {
    (1.0 - time / BATTERY_S).clamp(0.0, 1.0)
}
