//! Snapshots, bytes, hashes and the independence of streams.

use tropism_body::{Reading, SensorBank};
use tropism_core::{Name, Purpose, Seed, Tick};
use tropism_world::{
    Action, RobotSpec, Start, StateError, TimedEvent, Vec2, World, WorldSpec, WorldState, plans,
    presets,
};

const DRIVE: Purpose = Purpose::named("test.drive");

/// A world with three robots of different drives, obstacles and every kind of timed event.
fn rich() -> WorldSpec {
    let mut spec = presets::mains();
    spec.room.discs = presets::arena(0).room.discs;
    spec.room.discs.truncate(2);
    for (name, plan, x) in [
        ("rover", plans::motor_rover(), 1.2),
        ("trike", plans::tricycle(), 1.8),
        ("board", plans::reference_board(), 0.4),
    ] {
        let start =
            Start::Region { min: Vec2::new(x, 1.2), max: Vec2::new(x + 0.3, 2.2), soc: 0.5 };
        spec.robots.push(RobotSpec { name: Name::literal(name), plan, start });
    }
    let at = |at_s, every_s, action| TimedEvent { at_s, every_s, action };
    spec.events = vec![
        at(10.0, 7.0, Action::Shove { robot: None, by: Vec2::new(0.2, -0.1), turn_rad: 1.0 }),
        at(20.0, 40.0, Action::Light { light: None, is_on: false }),
        at(35.0, 40.0, Action::Light { light: None, is_on: true }),
        at(50.0, 0.0, Action::Station { station: 0, is_on: false }),
        at(70.0, 0.0, Action::Station { station: 0, is_on: true }),
        at(
            90.0,
            0.0,
            Action::MoveStation { station: 0, to: Vec2::new(0.1, 1.25), facing_rad: 0.0 },
        ),
        at(100.0, 100.0, Action::Battery { robot: Some(1), by: 0.2 }),
    ];
    spec
}

fn drive(world: &mut World, ticks: u64) {
    let count = world.robots();
    for _ in 0..ticks {
        let slow = Tick(world.tick().0 / 40);
        for robot in 0..count {
            let mut draws = Seed(8).stream(DRIVE, robot as u32, 0).at(slow);
            let values: [f32; 7] = core::array::from_fn(|_| draws.signed_uniform());
            world.set_actuators(robot, &values);
        }
        world.advance();
    }
}

#[test]
fn determinism_restore_and_continue_equals_the_straight_run_for_10000_ticks() {
    let spec = rich();
    let mut straight = World::new(&spec, Seed(5)).unwrap();
    drive(&mut straight, 1_234);
    let bytes = straight.snapshot().to_bytes();
    let mut other = World::new(&spec, Seed(5)).unwrap();
    drive(&mut other, 77);
    let state = WorldState::from_bytes(&bytes).unwrap();
    assert_eq!(state, straight.snapshot());
    other.restore(&state).unwrap();
    let mut banks: Vec<[SensorBank; 2]> =
        spec.robots.iter().map(|r| [SensorBank::new(&r.plan.body, spec.step); 2]).collect();
    for _ in 0..10_000 {
        drive(&mut straight, 1);
        drive(&mut other, 1);
        assert_eq!(straight.hash(), other.hash(), "tick {}", straight.tick().0);
        assert_eq!(straight.events(), other.events());
        for (robot, [a, b]) in banks.iter_mut().enumerate() {
            straight.sense(robot, a);
            other.sense(robot, b);
            assert_eq!(a, b);
        }
    }
}

#[test]
fn determinism_sim_01_going_back_to_the_start_equals_a_fresh_world() {
    let spec = rich();
    let mut world = World::new(&spec, Seed(2)).unwrap();
    let start = world.snapshot();
    drive(&mut world, 3_000);
    let first = world.hash();
    world.restore(&start).unwrap();
    drive(&mut world, 3_000);
    assert_eq!(world.hash(), first);
    let mut fresh = World::new(&spec, Seed(2)).unwrap();
    drive(&mut fresh, 3_000);
    assert_eq!(fresh.hash(), first);
}

#[test]
fn golden_hashes_of_three_worlds_never_change() {
    // Equal in debug and release and on every target: a change here changes recorded lives.
    for (name, spec, expected) in [
        ("reference", presets::reference(), 0xa5ab_15cf_c78c_052e_u64),
        ("rich", rich(), 0xcd77_46b2_3c40_ae7b),
        ("arena", presets::arena(30), 0xff4f_3284_d3c7_362e),
    ] {
        let mut world = World::new(&spec, Seed(1)).unwrap();
        drive(&mut world, 2_000);
        assert_eq!(world.hash(), expected, "{name}: {:#018x}", world.hash());
    }
}

#[test]
fn unit_damaged_and_foreign_states_are_refused() {
    let spec = rich();
    let mut world = World::new(&spec, Seed(5)).unwrap();
    drive(&mut world, 50);
    let bytes = world.snapshot().to_bytes();
    for cut in 0..bytes.len() {
        assert!(WorldState::from_bytes(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    for at in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[at] ^= 0x10;
        // Two bytes of the head carry nothing.
        assert!(WorldState::from_bytes(&bad).is_err(), "byte {at}");
    }
    assert_eq!(WorldState::from_bytes(b"PK\x03\x04 and so on"), Err(StateError::Foreign));
    let mut later = bytes.clone();
    later[4] = 9;
    assert_eq!(WorldState::from_bytes(&later), Err(StateError::Version(9)));
    let state = WorldState::from_bytes(&bytes).unwrap();
    let hash = world.hash();
    for mut other in
        [World::new(&spec, Seed(6)).unwrap(), World::new(&presets::reference(), Seed(5)).unwrap()]
    {
        assert_eq!(other.restore(&state), Err(StateError::OtherWorld));
    }
    let mut retuned = spec.clone();
    retuned.robots[0].plan.battery.capacity_ah *= 2.0;
    let mut other = World::new(&retuned, Seed(5)).unwrap();
    assert_eq!(other.restore(&state), Err(StateError::OtherWorld));
    world.restore(&state).unwrap();
    assert_eq!(world.hash(), hash);
}

/// What robot 0 senses over a run.
fn readings(spec: &WorldSpec, also_sense: bool) -> Vec<Reading> {
    let mut world = World::new(spec, Seed(4)).expect("a sound world");
    let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
    let mut seen = Vec::new();
    for _ in 0..300 {
        if also_sense {
            for (robot, r) in spec.robots.iter().enumerate() {
                world.sense(robot, &mut SensorBank::new(&r.plan.body, spec.step));
            }
            let _ = (world.truth(0), world.hash(), world.snapshot().to_bytes());
        }
        world.sense(0, &mut bank);
        seen.extend((0..bank.count()).map(|c| bank.reading(c, world.tick())));
        drive(&mut world, 1);
    }
    seen
}

#[test]
fn determinism_sim_05_observers_robots_and_channels_shift_no_draw() {
    let alone = presets::mains();
    let base = readings(&alone, false);
    assert_eq!(base, readings(&alone, true));
    // Another robot, far away and silent: robot 0 senses the very same.
    let mut more = alone.clone();
    let start = Start::Pose { at: Vec2::new(2.6, 2.35), heading_rad: 0.0, soc: 0.0 };
    let plan = plans::reference_board();
    more.robots.push(RobotSpec { name: Name::literal("still"), plan, start });
    let (mut same, mut all) = (0, 0);
    for (a, b) in base.iter().zip(readings(&more, false)) {
        all += 1;
        same += u32::from(*a == b);
    }
    assert!(same * 100 >= all * 99, "{same} of {all}: only its infra-red may see the other one");
    // A channel more at the end.
    let mut longer = alone.clone();
    let plan = &mut longer.robots[0].plan;
    let extra = plan.body.sensors[1];
    let extra = tropism_body::SensorSpec { name: Name::literal("second_mic"), ..extra };
    plan.body.sensors.push(extra).unwrap();
    plan.sensors.push(plan.sensors[1]);
    let with = readings(&longer, false);
    let first_seven: Vec<Reading> = with.chunks(8).flat_map(|c| c[..7].to_vec()).collect();
    assert_eq!(base, first_seven);
    assert!(with.chunks(8).any(|c| c[7] != c[1]), "its noise is its own");
}

#[test]
fn determinism_sensing_fewer_channels_changes_nothing_about_them() {
    let spec = rich();
    let mut world = World::new(&spec, Seed(7)).unwrap();
    for robot in 0..world.robots() {
        let body = &spec.robots[robot].plan.body;
        let mut all = SensorBank::new(body, spec.step);
        let mut some = all;
        let mask = 0b1011_0101_0101_0010;
        for _ in 0..400 {
            world.sense(robot, &mut all);
            world.sense_only(robot, mask, &mut some);
            for channel in 0..all.count() {
                let seen = some.reading(channel, world.tick());
                if mask & (1 << channel) == 0 {
                    assert_eq!(seen, Reading::Missing);
                } else {
                    assert_eq!(seen, all.reading(channel, world.tick()), "channel {channel}");
                }
            }
            drive(&mut world, 1);
        }
    }
}

#[test]
fn determinism_events_are_the_same_for_every_seed() {
    let spec = rich();
    let times = |seed| {
        let mut world = World::new(&spec, Seed(seed)).unwrap();
        let mut seen = Vec::new();
        for _ in 0..4_000 {
            drive(&mut world, 1);
            for event in world.events() {
                use tropism_world::OccurrenceKind as K;
                if matches!(
                    event.kind,
                    K::Shoved | K::LightsOff | K::LightsOn | K::StationMoved | K::BatteryStepped
                ) {
                    seen.push((world.tick(), *event));
                }
            }
        }
        seen
    };
    let first = times(1);
    assert_eq!(first, times(2));
    let shoves = first.iter().filter(|(t, e)| e.robot == Some(0) && t.0 < 1_000).count();
    assert_eq!(shoves, 6, "at 10, 17, 24, 31, 38 and 45 s");
}
