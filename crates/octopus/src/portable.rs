//! One fixed scene whose end is the same on every processor.
//!
//! Six of eight arms reach, grasp, carry, yield and withdraw among obstacles for 2,000 ticks; the
//! hash of every hundredth state is compared between hosts, builds and emulated processors.
//!
//! What it does not do: it is no benchmark and no example of good settings.

use tropism_core::{StateHash, TimeStep};

use crate::arm::ArmParameters;
use crate::constants::{ARMS, MAXIMUM_BEND, TURNING_SPEED};
use crate::law::LawKind;
use crate::objects::Kind;
use crate::octopus::{Octopus, Settings};
use crate::task::WhenTaken;
use crate::vector::Point;

/// Ticks of the comparison.
pub const TICKS: u64 = 2000;

/// Hashes after [`TICKS`] ticks: the `reference` law, then the `reach` law.
pub const EXPECTED: [u64; 2] = [0x643a_3292_5baf_e2c0, 0x8638_aa36_5d5d_4691];

/// Runs the scene and hashes it; `None` only if the scene could not be built.
pub fn hash(law: LawKind, ticks: u64) -> Option<u64> {
    let parameters = ArmParameters::new(12, 16.0, MAXIMUM_BEND, TURNING_SPEED).ok()?;
    let settings = Settings { law, object_capacity: 16, ..Settings::default() };
    let body = Point::new(400.0, 460.0);
    let step = TimeStep::new(1, 120).ok()?;
    let mut octopus = Octopus::new(body, step, &[parameters; ARMS], settings).ok()?;
    let food = [(110.0, 40.0), (-90.0, 100.0), (20.0, -150.0)];
    let obstacles = [(130.0, -20.0), (-60.0, 150.0), (-140.0, -30.0), (60.0, 120.0)];
    let mut ids = [None; 3];
    for (id, (x, y)) in ids.iter_mut().zip(food) {
        *id = octopus.add_object(Kind::Food, body + Point::new(x, y), 11.0, 1.0).ok();
    }
    for (x, y) in obstacles {
        octopus.add_object(Kind::Obstacle, body + Point::new(x, y), 13.0, 1.0).ok()?;
    }
    let mut hash = StateHash::new();
    for tick in 0..ticks {
        if tick % 250 == 0 {
            command(&mut octopus, &ids, tick / 250)?;
        }
        octopus.step();
        if tick % 100 == 99 {
            hash.word(octopus.state_hash());
        }
    }
    Some(hash.value())
}

/// New tasks every 250 ticks.
fn command(octopus: &mut Octopus, ids: &[Option<crate::ObjectId>; 3], turn: u64) -> Option<()> {
    let body = octopus.body();
    for arm in 0..6 {
        let angle = 0.7 * (turn * 3 + arm as u64) as f64;
        let away = 80.0 + 20.0 * ((turn + arm as u64) % 6) as f64;
        octopus.assign_reach(arm, body + Point::unit(angle) * away).ok()?;
    }
    if turn.is_multiple_of(2) {
        octopus.release(2).ok()?;
        octopus.assign_food(2, ids[0]?, WhenTaken::Wait).ok()?;
        octopus.assign_food(3, ids[0]?, WhenTaken::Nearest).ok()?;
    } else {
        octopus.retract(2).ok()?;
    }
    if turn == 5 {
        let at = body + Point::new(90.0, 60.0);
        octopus.report_hazard(at, 40.0, 0.97, Some(0.3)).ok()?;
        octopus.report_hazard(at, 30.0, 0.6, Some(1.5)).ok()?;
    }
    Some(())
}
