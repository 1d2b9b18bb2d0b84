//! Goal: what users of other robots met is met here by a declared behaviour.
//! Method: the course robot in small worlds made for one case each, judged by what is true of it.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop a test")]

use tropism_body::{Controller, Percept, Reading};
use tropism_core::{Seed, TimeStep};
use tropism_lab::Run;
use tropism_lab::course::{Outing, line, outing, wall};
#[cfg(feature = "javascript")]
use tropism_lab::grade::Task;
use tropism_reactive::blend::{BlendState, Finding};
use tropism_reactive::bug::{BugParameters, BugResult, Phase};
use tropism_reactive::line::LineState;
use tropism_reactive::{ReactiveSpec, course};
use tropism_scenario::{Document, MindSpec, Scenario, built_in_world};
use tropism_world::{
    ConvexPolygon, Material, RobotSpec, Segment, Start, Tape, Vec2, WorldSpec, drive::DriveSpec,
    plans,
};

fn step() -> TimeStep {
    TimeStep::new(1, 100).unwrap()
}

/// An empty room with the course robot at a pose and a beacon.
fn room(size: (f32, f32), at: (f32, f32), heading_rad: f32, beacon: (f32, f32)) -> WorldSpec {
    let mut spec = WorldSpec::empty("case", size.0, size.1);
    (spec.step, spec.physics_step) = (step(), step());
    spec.beacons.push(Vec2::new(beacon.0, beacon.1));
    spec.robots.push(RobotSpec {
        name: tropism_core::Name::literal("robot"),
        plan: plans::course_robot(),
        start: Start::Pose { at: Vec2::new(at.0, at.1), heading_rad, soc: 1.0 },
    });
    spec
}

fn scenario(world: &str) -> Scenario {
    let text = format!("kind = 'scenario'\nworld = '{world}'\nmind = 'do_nothing'\n");
    let Ok(Document::Scenario(scenario)) = tropism_scenario::parse("s", &text, None) else {
        panic!("no scenario")
    };
    scenario
}

fn strip(points: &[(f32, f32)], width_m: f32) -> Tape {
    Tape { points: points.iter().map(|(x, y)| Vec2::new(*x, *y)).collect(), width_m }
}

fn built_in(name: &str) -> WorldSpec {
    built_in_world(name).unwrap().unwrap()
}

fn named(name: &str) -> ReactiveSpec {
    ReactiveSpec::named(name).unwrap()
}

fn with(name: &str, changes: &[(&str, f32)]) -> ReactiveSpec {
    let mut spec = named(name);
    for (parameter, value) in changes {
        let at = spec.table().iter().position(|p| p.name == *parameter).unwrap();
        spec.set_at(at, *value).unwrap();
    }
    spec
}

fn seconds(outing: &mut Outing, s: f64) {
    for _ in 0..step().ticks_in(s) {
        outing.tick();
    }
}

#[test]
fn unit_the_constants_of_the_controllers_are_those_of_the_robot() {
    let close = |a: f32, b: f32| assert!((a - b).abs() < 1e-6, "{a} {b}");
    close(course::RADIUS_M, plans::COURSE_RADIUS_M);
    close(course::BASE_M, plans::COURSE_BASE_M);
    close(course::SPEED_M_S, plans::COURSE_SPEED_M_S);
    close(course::COUNTS_PER_M, plans::COURSE_COUNTS_PER_M);
    for plan in [plans::course_robot(), plans::course_robot_real(), plans::course_robot_lidar()] {
        close(plan.radius_m, course::RADIUS_M);
        let DriveSpec::Motors { speed_m_s, base_m, .. } = plan.drive else { panic!("no motors") };
        close(speed_m_s, course::SPEED_M_S);
        close(base_m, course::BASE_M);
        let mut rangers = 0;
        for model in &plan.sensors {
            if let tropism_world::sensor::SensorModel::Encoder { counts_per_m, modulus, .. } = model
            {
                close(*counts_per_m, course::COUNTS_PER_M);
                assert_eq!(*modulus, course::ENCODER_MODULUS);
            }
            if let tropism_world::sensor::SensorModel::Ultrasonic { beam, .. } = model {
                close(beam.max_m, course::RANGE_MAX_M);
                rangers += 1;
            }
        }
        assert_eq!(rangers, 3);
    }
}

#[test]
fn unit_the_lidar_robot_drives_as_the_other_and_sees_farther() {
    let plain = room((7.0, 3.0), (1.0, 1.5), 0.0, (6.0, 1.5));
    let mut lidar = plain.clone();
    lidar.robots[0].plan = plans::course_robot_lidar();
    let mut outings = [&plain, &lidar].map(|w| outing(w, &named("goal_blend"), 1).unwrap());
    for _ in 0..500 {
        outings.iter_mut().for_each(Outing::tick);
        let [a, b] = outings.each_ref().map(|o| o.sample().truth);
        assert_eq!((a.x_m.to_bits(), a.y_m.to_bits()), (b.x_m.to_bits(), b.y_m.to_bits()));
    }
    let world = tropism_world::World::new(&lidar, Seed(1)).unwrap();
    let body = lidar.robots[0].plan.body;
    let mut bank = tropism_body::SensorBank::new(&body, step());
    world.sense(0, &mut bank);
    let read = |name| bank.reading(body.sensor(name).unwrap(), world.tick()).value();
    assert_eq!(read("ultrasonic_front"), None, "6 m are beyond the ranger");
    assert!((read("lidar_front").unwrap() - 5.92).abs() < 0.05, "{:?}", read("lidar_front"));
    assert!((read("lidar_left").unwrap() - 1.42).abs() < 0.05, "{:?}", read("lidar_left"));
}

#[test]
fn unit_lf_04_the_same_wiring_under_other_ports_gives_the_same_trajectory() {
    let plain = built_in("course_track");
    let mut swapped = plain.clone();
    let plan = &mut swapped.robots[0].plan;
    let [left, right] = [plan.body.actuators[0], plan.body.actuators[1]];
    (plan.body.actuators[0], plan.body.actuators[1]) = (right, left);
    if let DriveSpec::Motors { left, right, .. } = &mut plan.drive {
        (*left, *right) = (1, 0);
    }
    let mut outings = [&plain, &swapped].map(|w| outing(w, &named("line_pd"), 1).unwrap());
    for _ in 0..3_000 {
        outings.iter_mut().for_each(Outing::tick);
        let [a, b] = outings.each_ref().map(|o| o.sample().truth);
        assert_eq!((a.x_m.to_bits(), a.y_m.to_bits()), (b.x_m.to_bits(), b.y_m.to_bits()));
    }
    assert!(outings[0].sample().truth.x_m.is_finite());
}

#[cfg(feature = "javascript")]
#[test]
fn unit_lf_08_the_supplied_follower_halves_the_wobble_of_bang_bang() {
    use tropism_lab::grade::{describe, grade};
    let weave = |mind: MindSpec| {
        let mut world = room((9.0, 2.0), (0.4, 1.0), 0.0, (8.9, 1.0));
        world.tapes.push(strip(&[(0.2, 1.0), (8.8, 1.0)], 0.019));
        world.robots[0].plan = plans::course_robot_real();
        let mut scenario = scenario("course_track");
        (scenario.world, scenario.life_cap_s) = (world, 20.0);
        let task = Task::of_scenario(scenario, Some("line")).unwrap();
        let grade = grade("follower", &mind, &task, 1).unwrap();
        assert!(describe(&grade).contains("Hz"), "{}", describe(&grade));
        grade.attempts[0].line.clone().unwrap()
    };
    // Full forward on one wheel and full reverse on the other, towards the side seen last.
    let text = "function control(s, m) {
        if (s.line.left) m.side = 1; else if (s.line.right) m.side = -1;
        return { left: -(m.side || 1) * 0.6 + 0.4, right: (m.side || 1) * 0.6 + 0.4 };
    }";
    let bang = weave(MindSpec::Script { path: "bang.js".to_owned(), text: text.to_owned() });
    assert!(bang.frequency_hz > 0.1 && bang.amplitude_m > 0.0005, "{bang:?}");
    let pd = weave(MindSpec::Reactive(named("line_pd")));
    assert!(pd.amplitude_m < 0.5 * bang.amplitude_m, "{pd:?} {bang:?}");
}

/// Readings one tick late, and marked as such.
fn stale(percept: &Percept) -> Percept {
    let mut late = *percept;
    for reading in late.readings.iter_mut() {
        if let Reading::Fresh(value) = *reading {
            *reading = Reading::Held { value, age_ticks: 1 };
        }
    }
    late
}

#[test]
fn unit_lf_09_a_follower_with_readings_one_tick_late_stays_on_the_line() {
    let scenario = scenario("course_track");
    for name in ["line_digital", "line_pd"] {
        let minds = [MindSpec::Reactive(named(name))];
        let mut run = Run::new(&scenario, &minds, Seed(1)).unwrap();
        let mut before: Option<Percept> = None;
        let mut ages = Vec::new();
        for _ in 0..6_000 {
            run.tick_with(|_, robot| {
                let late = before.replace(robot.percept).map(|p| stale(&p));
                let seen = late.unwrap_or(robot.percept);
                ages.extend(seen.reading(0).age_ticks());
                robot.mind.step(&seen, &mut robot.command);
            });
        }
        assert!(ages.iter().skip(1).all(|age| *age == 1), "each reading carries its age");
        let line = run.robots()[0].mind.reactive().and_then(|r| r.line()).unwrap();
        assert_eq!(line.state(), LineState::Follow, "{name}");
    }
}

#[test]
fn unit_lf_10_a_cross_line_is_passed_and_a_table_edge_is_not() {
    for name in ["line_digital", "line_pd"] {
        let mut world = room((4.0, 2.0), (0.4, 1.0), 0.0, (3.9, 1.0));
        world.tapes.push(strip(&[(0.3, 1.0), (3.6, 1.0)], 0.019));
        world.tapes.push(strip(&[(1.5, 0.5), (1.5, 1.5)], 0.019));
        let mut cross = outing(&world, &named(name), 1).unwrap();
        seconds(&mut cross, 12.0);
        assert!(cross.sample().truth.x_m > 2.0, "{name} {:?}", cross.sample());
        // Beyond the edge there is no floor to send light back: as dark as tape.
        let edge_m = 2.0;
        world.tapes[1] = strip(&[(edge_m + 0.5, 0.0), (edge_m + 0.5, 2.0)], 1.0);
        let mut edge = outing(&world, &named(name), 1).unwrap();
        let mut farthest: f32 = 0.0;
        for _ in 0..3_000 {
            edge.tick();
            farthest = farthest.max(edge.sample().truth.x_m);
        }
        assert!(farthest < edge_m, "{name}: the axle came to {farthest} m");
        assert!(farthest > edge_m - 0.1, "{name}: it stopped at {farthest} m");
        assert_eq!(edge.mind.line().unwrap().state(), LineState::Stop, "{name}");
    }
}

#[test]
fn unit_bv_01_a_corner_is_left_in_time_or_reported() {
    // The inside corner of the pen's L, headed into it.
    let mut pen = built_in("course_pen");
    let at = Vec2::new(1.6, 1.6);
    pen.robots[0].start = Start::Pose { at, heading_rad: 0.785, soc: 1.0 };
    let mut plain = outing(&pen, &named("goal_blend"), 1).unwrap();
    seconds(&mut plain, 30.0);
    let said = plain.mind.blend().unwrap().finding();
    assert_ne!(said, Finding::Fine, "it sticks there and says so");
    let mut escaping = outing(&pen, &named("goal_blend_escape"), 1).unwrap();
    seconds(&mut escaping, 60.0);
    assert_eq!(escaping.mind.blend().unwrap().state(), BlendState::Arrived);
    // Layers headed into a corner turn out of it.
    let world = room((3.0, 3.0), (2.6, 2.6), 0.785, (0.5, 0.5));
    let mut layers = outing(&world, &named("subsumption"), 1).unwrap();
    seconds(&mut layers, 30.0);
    assert!(layers.sample().goal_m < 0.3, "{:?}", layers.sample());
}

#[test]
fn unit_bv_07_in_a_niche_too_narrow_to_leave_help_is_called_after_some_tries() {
    // A closed cell of 30 cm: nothing leads out.
    let mut world = room((3.0, 3.0), (1.5, 1.5), 0.0, (2.7, 1.5));
    let corners = [(1.35, 1.35), (1.65, 1.35), (1.65, 1.65), (1.35, 1.65)];
    for (i, from) in corners.iter().enumerate() {
        let to = corners[(i + 1) % 4];
        let (from, to) = (Vec2::new(from.0, from.1), Vec2::new(to.0, to.1));
        world.room.segments.push(Segment { from, to, ..Segment::default() });
    }
    let spec = named("goal_blend_escape");
    let mut niche = outing(&world, &spec, 1).unwrap();
    let mut ticks = 0;
    // Ways of 0.6 m, each half as long again, and 4 m to spare, at 10 cm/s: 616 s at most, and
    // 6 s to notice each.
    while niche.mind.blend().unwrap().state() != BlendState::Help {
        niche.tick();
        ticks += 1;
        assert!(ticks < 90_000, "no call for help in 900 s");
    }
    seconds(&mut niche, 1.0);
    assert_eq!((niche.sample().turn, niche.mind.blend().unwrap().escapes()), (0.0, 8));
}

#[test]
fn unit_us_07_what_no_ranger_hears_ends_in_the_bumper_and_not_in_pushing() {
    let mut world = room((4.0, 3.0), (0.6, 1.5), 0.0, (3.4, 1.5));
    let half = Vec2::new(0.1, 0.3);
    let mut cloth = ConvexPolygon::rectangle(Vec2::new(2.0, 1.5), half, 0.0);
    cloth.material = Material { sonar: 0.0, ..Material::SOFT };
    world.room.polygons.push(cloth);
    for name in ["bug2", "subsumption", "goal_blend_escape"] {
        let mut robot = outing(&world, &named(name), 1).unwrap();
        let (mut pressed, mut longest) = (0_u32, 0);
        for _ in 0..12_000 {
            robot.tick();
            pressed = if robot.sample().truth.is_bumped { pressed + 1 } else { 0 };
            longest = longest.max(pressed);
        }
        assert!(longest > 0, "{name}: the cloth was felt");
        assert!(longest < 800, "{name}: pressed for {longest} ticks");
    }
    let mut bug = outing(&world, &named("bug2"), 1).unwrap();
    seconds(&mut bug, 120.0);
    assert_eq!(bug.mind.bug().unwrap().result(), BugResult::Reached);
}

#[test]
fn unit_bug_07_boundary_and_goal_do_not_take_turns_for_ever() {
    let map = tropism_scenario::textmap::TextMap::parse(include_str!(
        "../../../scenarios/course/maps/comb.txt"
    ));
    let world = map.unwrap().world(0.1, &plans::course_robot()).unwrap();
    for (name, ranging) in [("bug0", 1.0), ("bug1", 1.0), ("bug2", 1.0), ("bug2", 0.0)] {
        let mut bug = outing(&world, &with(name, &[("ranging", ranging)]), 1).unwrap();
        let (mut turns, mut before, mut ticks) = (0, Phase::ToGoal, 0_u32);
        while bug.mind.bug().unwrap().result() == BugResult::Running {
            bug.tick();
            let phase = bug.mind.bug().unwrap().phase();
            turns += u32::from(before != Phase::ToGoal && phase == Phase::ToGoal);
            before = phase;
            ticks += 1;
            assert!(ticks < 100_000, "{name}: no end");
        }
        assert!(turns <= 4, "{name}: left {turns} times");
    }
    let p = BugParameters::default();
    assert!(p.leave > p.enter);
}

#[test]
fn unit_the_corridor_is_followed_round_corners_and_past_the_missing_wall() {
    let world = built_in("course_corridor");
    for name in ["wall_pd", "wall_angle"] {
        let mut robot = outing(&world, &named(name), 1).unwrap();
        let (mut round, mut before, mut touched) = (0.0_f32, None, 0_u32);
        for _ in 0..9_000 {
            robot.tick();
            let truth = robot.sample().truth;
            touched += u32::from(truth.is_bumped);
            let angle = tropism_core::math::atan2(truth.y_m - 2.0, truth.x_m - 2.5);
            if let Some(before) = before {
                round += tropism_core::math::wrap_angle(angle - before);
            }
            before = Some(angle);
        }
        assert_eq!(touched, 0, "{name} touched a wall");
        assert!(round > 1.25 * core::f32::consts::TAU, "{name}: {round} rad round the corridor");
    }
}

#[test]
fn unit_wf_01_the_weave_is_told_by_amplitude_and_frequency() {
    let world = wall::straight(true);
    let p = wall::run(&world, "wall_p", &[], 1).unwrap();
    let pd = wall::run(&world, "wall_pd", &[], 1).unwrap();
    assert!(p.amplitude_mm > 0.0 && p.frequency_hz > 0.0, "{p:?}");
    assert!(pd.amplitude_mm <= 0.5 * p.amplitude_mm, "{p:?} {pd:?}");
    // A gain five times as high weaves faster and for longer.
    let hot = wall::run(&world, "wall_p", &[("kp", 0.1)], 1).unwrap();
    assert!(hot.amplitude_mm > p.amplitude_mm, "{p:?} {hot:?}");
}

#[test]
fn unit_line_run_of_a_crossing_and_a_gap_is_unchanged_by_the_edge_rule() {
    let world = built_in("course_hard_track");
    let with_rule = line::run(&world, "line_pd", &[]).unwrap();
    let without = line::run(&world, "line_pd", &[("edge", 0.0)]).unwrap();
    assert!((with_rule.way_m - without.way_m).abs() < 0.2, "{with_rule:?} {without:?}");
}
