//! What the course claims, in small: bug worlds end within their bounds, escapes reach the beacon.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop a test")]

use tropism_lab::course::{Outing, bugs, line, outing, pen, rough, wall};
use tropism_reactive::ReactiveSpec;
use tropism_reactive::bug::{Algorithm, BugParameters, BugResult};
use tropism_reactive::course::RADIUS_M;
use tropism_scenario::built_in_world;
use tropism_scenario::textmap::TextMap;
use tropism_world::{Vec2, WorldSpec, plans};

fn map(text: &str) -> (TextMap, WorldSpec) {
    let map = TextMap::parse(text).unwrap();
    let world = map.world(bugs::CELL_M, &plans::course_robot()).unwrap();
    (map, world)
}

#[test]
fn unit_bug_01_a_goal_walled_in_is_reported_by_every_algorithm_after_one_circuit() {
    let (map, world) = map(bugs::RING);
    let (d, p) = bugs::distances(&map, BugParameters::default().follow);
    for (name, algorithm) in bugs::ALGORITHMS {
        let run = bugs::run(&world, algorithm, BugParameters::default(), 1).unwrap();
        assert_eq!(run.result, BugResult::Unreachable, "{name}");
        assert!(run.way_m < d + 1.5 * p && run.contacts == 0, "{name} {run:?}");
    }
}

#[test]
fn unit_bug_03_a_goal_inside_an_obstacle_is_unreachable() {
    let solid = bugs::RING.replace("##..........##", "##############");
    let solid = solid.replace("##....G.....##", "######G#######");
    let (_, world) = map(&solid);
    for (name, algorithm) in bugs::ALGORITHMS {
        let run = bugs::run(&world, algorithm, BugParameters::default(), 1).unwrap();
        assert_eq!(run.result, BugResult::Unreachable, "{name}");
    }
}

#[test]
fn unit_bug_05_abort_rules_end_bug1_and_bug2_without_a_leave_point() {
    let (_, world) = map(bugs::RING);
    for algorithm in [Algorithm::Bug1, Algorithm::Bug2] {
        let spec = ReactiveSpec::Bug(algorithm, BugParameters::default());
        let mut outing = outing(&world, &spec, 1).unwrap();
        for _ in 0..20_000 {
            outing.tick();
        }
        let bug = outing.mind.bug().unwrap();
        assert_eq!(bug.result(), BugResult::Unreachable);
        assert_eq!((bug.hits().all().len(), bug.leaves().all().len()), (1, 0));
    }
}

#[test]
fn golden_published_bug_worlds_end_within_their_bounds_on_either_side() {
    for name in ["wall", "L", "U"] {
        let Some(file) = tropism_testkit::shared_file(&format!("data/bug/{name}.txt")) else {
            return;
        };
        let (map, world) = map(&std::fs::read_to_string(file).unwrap());
        let (d, p) = bugs::distances(&map, BugParameters::default().follow);
        for boundary_right in [1.0, 0.0] {
            for (label, algorithm) in &bugs::ALGORITHMS[..3] {
                let numbers =
                    BugParameters { ranging: 0.0, boundary_right, ..BugParameters::default() };
                let run = bugs::run(&world, *algorithm, numbers, 1).unwrap();
                let (d, p) = bugs::distances(&map, RADIUS_M);
                let is_trap = name == "U" && *algorithm == Algorithm::Bug0;
                assert_eq!(run.result == BugResult::Reached, !is_trap, "{name} {label} {run:?}");
                let bound = if *algorithm == Algorithm::Bug2 { d + p } else { d + 1.5 * p };
                assert!(run.way_m <= bound, "{name} {label} {} m > {bound} m", run.way_m);
            }
            let numbers = BugParameters { boundary_right, ..BugParameters::default() };
            for (label, algorithm) in bugs::ALGORITHMS {
                let run = bugs::run(&world, algorithm, numbers, 1).unwrap();
                let is_trap = name == "U" && algorithm == Algorithm::Bug0;
                assert_eq!(run.result == BugResult::Reached, !is_trap, "{name} {label} {run:?}");
                let bound = match algorithm {
                    // The M-line crosses each obstacle of these maps twice.
                    Algorithm::Bug2 => d + p,
                    Algorithm::Bug0 | Algorithm::Bug1 | Algorithm::Tangent => d + 1.5 * p,
                };
                assert!(run.way_m <= bound, "{name} {label} {} m > {bound} m", run.way_m);
            }
        }
    }
}

#[test]
fn paper_bug1_by_contact_alone_keeps_its_bound_in_worlds_it_was_not_tuned_in() {
    let mut met = 0;
    for seed in 0..10 {
        for is_real in [false, true] {
            let worlds = [rough::blocks(seed, is_real).unwrap(), rough::course(seed, is_real)];
            for (world, boundary_right) in worlds.iter().zip([1.0, 0.0]) {
                let (run, bound_m) = rough::run(world, boundary_right, seed).unwrap();
                let what = format!("{seed} {is_real} {run:?} {bound_m}");
                assert_eq!(run.result, BugResult::Reached, "{what}");
                assert!(run.hits == 0 || bound_m > world.distance_m + 1.5 * 0.5, "{what}");
                assert!(run.way_m <= bound_m, "{what}");
                met += u32::from(run.hits > 0);
            }
        }
    }
    assert!(met > 20, "obstacles were met in {met} of 40 runs");
}

#[test]
fn unit_the_grown_rim_of_a_text_map_counts_outer_and_inner_corners() {
    // An L of five cells of 10 cm: a rim of 1.2 m, five outer corners and an inner one.
    let (l, _) = map("S...G\n.#...\n.#...\n.###.\n.....\n");
    let (d, p) = bugs::distances(&l, 0.08);
    let corners = 5.0 * core::f32::consts::FRAC_PI_2 - 2.0;
    assert!((d - 0.4).abs() < 1e-5 && (p - (1.2 + corners * 0.08)).abs() < 1e-5, "{d} {p}");
}

#[test]
fn swarm_bug_runs_in_random_courses_end_and_never_pass_a_wall() {
    for (seed, ranging) in (0..12).map(|i| (i / 2, (i % 2) as f32)) {
        let plan = plans::course_robot();
        let world = tropism_scenario::textmap::random_course(tropism_core::Seed(seed), 6, &plan);
        for (name, algorithm) in bugs::ALGORITHMS {
            if algorithm == Algorithm::Tangent && ranging < 0.5 {
                continue;
            }
            let numbers = BugParameters { ranging, ..BugParameters::default() };
            let spec = ReactiveSpec::Bug(algorithm, numbers);
            let mut outing = outing(&world, &spec, seed).unwrap();
            let mut at = place(&outing);
            let result = loop {
                outing.tick();
                let now = place(&outing);
                assert!(!passes(&world, at, now), "{name} {seed}: through a wall at {at:?}");
                at = now;
                let result = outing.mind.bug().unwrap().result();
                if result != BugResult::Running {
                    break result;
                }
                assert!(outing.sample().tick < 100_000, "{name} {seed}: no end");
            };
            if result == BugResult::Reached {
                let sample = outing.sample();
                assert!(sample.goal_m < 0.15, "{name} {seed} {sample:?}");
            }
        }
    }
}

fn place(outing: &Outing) -> Vec2 {
    let truth = outing.sample().truth;
    Vec2::new(truth.x_m, truth.y_m)
}

/// True when the straight way from `a` to `b` meets a wall, a side of a polygon, a disc or the
/// border.
fn passes(world: &WorldSpec, a: Vec2, b: Vec2) -> bool {
    let room = &world.room;
    let is_out =
        |p: Vec2| p.x < room.min.x || p.y < room.min.y || p.x > room.max.x || p.y > room.max.y;
    let meets = |from: Vec2, to: Vec2| {
        let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).cross(r - p);
        side(from, to, a) * side(from, to, b) <= 0.0 && side(a, b, from) * side(a, b, to) <= 0.0
    };
    let rims = room.polygons.iter().flat_map(|polygon| {
        let corners = &polygon.corners;
        (0..corners.len()).map(move |i| (corners[i], corners[(i + 1) % corners.len()]))
    });
    is_out(b)
        || room.segments.iter().any(|s| meets(s.from, s.to))
        || rims.into_iter().any(|(from, to)| meets(from, to))
        || room.discs.iter().any(|d| (b - d.center).length() < d.radius_m)
}

#[test]
fn unit_a_way_through_a_wall_is_seen_as_one() {
    let plan = plans::course_robot();
    let (_, ring) = map(bugs::RING);
    let (start, goal) = (Vec2::new(0.45, 0.75), Vec2::new(2.55, 0.75));
    assert!(passes(&ring, start, goal) && !passes(&ring, start, start + Vec2::new(0.3, 0.3)));
    let random = tropism_scenario::textmap::random_course(tropism_core::Seed(0), 6, &plan);
    assert!(passes(&random, random.room.min, random.room.max + Vec2::new(1.0, 1.0)));
}

#[test]
fn unit_bug_01_by_contact_alone_a_ring_is_rounded_once_and_reported() {
    let (map, world) = map(bugs::RING);
    let (d, p) = bugs::distances(&map, RADIUS_M);
    for (name, algorithm) in &bugs::ALGORITHMS[..3] {
        for boundary_right in [0.0, 1.0] {
            let numbers = BugParameters { ranging: 0.0, boundary_right, ..Default::default() };
            let run = bugs::run(&world, *algorithm, numbers, 1).unwrap();
            assert_eq!(run.result, BugResult::Unreachable, "{name}");
            assert!(run.way_m < d + 1.5 * p, "{name} {run:?}");
        }
    }
}

#[test]
fn unit_the_supplied_ways_out_of_the_pen_reach_the_beacon() {
    let world = built_in_world("course_pen").unwrap().unwrap();
    for name in ["bug2", "goal_blend_escape"] {
        let spec = ReactiveSpec::named(name).unwrap();
        for seed in 1..=5 {
            let run = pen::run(&world, &spec, seed).unwrap();
            assert!(run.reached_s.is_some(), "{name} {seed}");
        }
    }
}

#[test]
fn unit_lf_03_the_reference_followers_keep_the_line_for_many_laps() {
    let world = built_in_world("course_track").unwrap().unwrap();
    for name in ["line_digital", "line_pd"] {
        let run = line::run(&world, name, &[]).unwrap();
        assert!(run.is_on && run.way_m > 13.0 && run.max_mm < 12.0, "{name} {run:?}");
    }
}

#[test]
fn unit_wf_01_pd_halves_the_swing_of_p_at_25_cm() {
    let world = wall::straight(false);
    let p = wall::run(&world, "wall_p", &[], 1).unwrap();
    let pd = wall::run(&world, "wall_pd", &[], 1).unwrap();
    assert!(pd.swing_mm < 0.5 * p.swing_mm, "{p:?} {pd:?}");
    assert!((pd.mean_m - 0.25).abs() < 0.005);
}

#[test]
fn unit_lf_04_swapped_wheel_wiring_changes_the_drive() {
    let right_way = built_in_world("course_track").unwrap().unwrap();
    let mut swapped = right_way.clone();
    if let tropism_world::drive::DriveSpec::Motors { left, right, .. } =
        &mut swapped.robots[0].plan.drive
    {
        (*left, *right) = (1, 0);
    }
    let off = line::run(&swapped, "line_pd", &[]).unwrap();
    assert!(!off.is_on, "{off:?}");
}
