//! Robot-steps per second of the world alone, beside the same scene cast with `parry2d`.
//!
//! Scene: 1, 10 and 100 two-wheeled robots with eight infra-red sensors (three rays each, Gaussian
//! noise) among four discs and four boxes in a 3 × 3 m room. One robot-step is sensing all
//! channels and one control step. The second run differs in one thing: the distances come from
//! `parry2d`, with one bounding-volume tree over all shapes, its robot leaves updated and refitted
//! once per tick, and every ray limited to the sensors' range.
//!
//! `cargo run --release -p tropism-bench --bin world [SECONDS]` prints the table and writes
//! `bench/results/world.csv`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its result")]

use core::fmt::Write as _;
use std::time::Instant;

use parry2d::bounding_volume::Aabb;
use parry2d::math::{Pose, Vector};
use parry2d::partitioning::{Bvh, BvhWorkspace};
use parry2d::query::{Ray, RayCast};
use parry2d::shape::{Ball, Cuboid, Shape};
use tropism_body::{Sample, SensorBank};
use tropism_core::{Purpose, Seed, StateHash};
use tropism_world::{ConvexPolygon, World, WorldSpec, presets};

const COMMANDS: Purpose = Purpose::named("bench.commands");
const NOISE: Purpose = Purpose::named("bench.noise");
const RANGE_M: f32 = 0.25;
const NOISE_SD: f32 = 0.02;
/// Half thickness of the border's walls, m.
const WALL_M: f32 = 0.1;

enum Body {
    Ball(Ball),
    Cuboid(Cuboid),
}

impl Body {
    fn cast(&self, pose: &Pose, ray: &Ray, limit: f32) -> Option<f32> {
        match self {
            Self::Ball(s) => s.cast_ray(pose, ray, limit, true),
            Self::Cuboid(s) => s.cast_ray(pose, ray, limit, true),
        }
    }

    fn aabb(&self, pose: &Pose) -> Aabb {
        match self {
            Self::Ball(s) => s.compute_aabb(pose),
            Self::Cuboid(s) => s.compute_aabb(pose),
        }
    }
}

/// The scene as `parry2d` sees it.
struct ParryScene {
    bodies: Vec<(Body, Pose)>,
    first_robot: usize,
    tree: Bvh,
    workspace: BvhWorkspace,
}

impl ParryScene {
    fn new(spec: &WorldSpec, world: &World) -> Self {
        let at = |x, y| Vector::new(x, y);
        let mut bodies = Vec::new();
        for d in &spec.room.discs {
            let pose = Pose::from_translation(at(d.center.x, d.center.y));
            bodies.push((Body::Ball(Ball::new(d.radius_m)), pose));
        }
        for polygon in &spec.room.polygons {
            bodies.push(cuboid(polygon));
        }
        let (lo, hi) = (spec.room.min, spec.room.max);
        // The border as four thick walls, so that a ray from a body touching it meets it too.
        let (width, height) = (hi.x - lo.x, hi.y - lo.y);
        let middle = at((lo.x + hi.x) * 0.5, (lo.y + hi.y) * 0.5);
        for (center, half) in [
            (at(lo.x - WALL_M, middle.y), at(WALL_M, height)),
            (at(hi.x + WALL_M, middle.y), at(WALL_M, height)),
            (at(middle.x, lo.y - WALL_M), at(width, WALL_M)),
            (at(middle.x, hi.y + WALL_M), at(width, WALL_M)),
        ] {
            bodies.push((Body::Cuboid(Cuboid::new(half)), Pose::from_translation(center)));
        }
        let first_robot = bodies.len();
        for (i, robot) in spec.robots.iter().enumerate() {
            let truth = world.truth(i);
            let pose = Pose::from_translation(at(truth.x_m, truth.y_m));
            bodies.push((Body::Ball(Ball::new(robot.plan.radius_m)), pose));
        }
        let mut tree = Bvh::new();
        for (i, (body, pose)) in bodies.iter().enumerate() {
            tree.insert(body.aabb(pose), i as u32);
        }
        Self { bodies, first_robot, tree, workspace: BvhWorkspace::default() }
    }

    fn update(&mut self, world: &World) {
        for robot in 0..world.robots() {
            let truth = world.truth(robot);
            let index = self.first_robot + robot;
            let (body, pose) = &mut self.bodies[index];
            pose.translation = Vector::new(truth.x_m, truth.y_m);
            self.tree.insert_or_update_partially(body.aabb(pose), index as u32, 0.0);
        }
        self.tree.refit(&mut self.workspace);
    }

    fn distance(&self, ray: &tropism_world::cast::Ray, robot: usize) -> f32 {
        let from = Vector::new(ray.from.x, ray.from.y);
        let ray = Ray::new(from, Vector::new(ray.along.x, ray.along.y));
        let own = (self.first_robot + robot) as u32;
        let hit = self.tree.cast_ray(&ray, RANGE_M, |leaf, limit| {
            let (body, pose) = &self.bodies[leaf as usize];
            if leaf == own { None } else { body.cast(pose, &ray, limit) }
        });
        hit.map_or(f32::INFINITY, |(_, t)| t)
    }

    /// Senses as the world does, with distances from `parry2d`.
    fn sense(&self, world: &World, robot: usize, bank: &mut SensorBank, noise_sd: f32) {
        let tick = world.tick();
        let mut sums = [0.0_f32; 16];
        for (channel, ray) in world.sensor_rays(robot) {
            let d = self.distance(&ray, robot);
            if d < RANGE_M {
                sums[channel] += 1.0 - d / RANGE_M;
            }
        }
        bank.accept(0, tick, Sample::Value(world.truth(robot).energy_share));
        for (channel, sum) in sums.iter().enumerate().take(9).skip(1) {
            let stream = Seed(1).stream(NOISE, robot as u32, channel as u32);
            let noise = noise_sd * stream.at(tick).normal();
            bank.accept(channel, tick, Sample::Value(sum / 3.0 + noise));
        }
    }
}

fn cuboid(polygon: &ConvexPolygon) -> (Body, Pose) {
    let [a, b, c, _] = [0, 1, 2, 3].map(|i| polygon.corners[i]);
    let (along, across) = (b - a, c - b);
    let half = Vector::new(along.length() * 0.5, across.length() * 0.5);
    let center = Vector::new((a.x + c.x) * 0.5, (a.y + c.y) * 0.5);
    let angle = tropism_core::math::atan2(along.y, along.x);
    (Body::Cuboid(Cuboid::new(half)), Pose::new(center, angle))
}

struct Outcome {
    seconds: f64,
    hash: u64,
}

/// Drives all robots at random for a number of ticks.
fn run(spec: &WorldSpec, ticks: u64, mut sense: impl FnMut(&World, &mut [SensorBank])) -> Outcome {
    let mut world = World::new(spec, Seed(1)).expect("the arena has room for its robots");
    let mut banks: Vec<SensorBank> =
        spec.robots.iter().map(|r| SensorBank::new(&r.plan.body, spec.step)).collect();
    let mut hash = StateHash::new();
    let start = Instant::now();
    for _ in 0..ticks {
        sense(&world, &mut banks);
        for robot in 0..world.robots() {
            let mut draws = Seed(1).stream(COMMANDS, robot as u32, 0).at(world.tick());
            let turn = draws.signed_uniform();
            world.set_actuators(robot, &[0.7 + 0.3 * turn, 0.7 - 0.3 * turn]);
        }
        world.advance();
    }
    let seconds = start.elapsed().as_secs_f64();
    for bank in &banks {
        for channel in 0..bank.count() {
            hash.float(bank.reading(channel, world.tick()).last_value().unwrap_or(f32::NAN));
        }
    }
    hash.word(world.hash());
    Outcome { seconds, hash: hash.value() }
}

/// Share of the two casters' noise-free readings that lie more than 10⁻⁴ apart over a run. Where a
/// sensor touches another robot, the two may take it to lie on different sides of the rim.
fn difference(spec: &WorldSpec, ticks: u64) -> f64 {
    let mut quiet = spec.clone();
    quiet.has_noise = false;
    let world = World::new(&quiet, Seed(1)).expect("the arena has room for its robots");
    let mut parry = ParryScene::new(&quiet, &world);
    let body = &spec.robots[0].plan.body;
    let (mut apart, mut all) = (0_u32, 0_u32);
    run(&quiet, ticks, |world, banks| {
        parry.update(world);
        for (robot, bank) in banks.iter_mut().enumerate() {
            world.sense(robot, bank);
            let mut other = SensorBank::new(body, spec.step);
            parry.sense(world, robot, &mut other, 0.0);
            for channel in 1..9 {
                let value = |b: &SensorBank| b.reading(channel, world.tick()).value();
                let (a, b) = (value(bank).unwrap_or(0.0), value(&other).unwrap_or(0.0));
                all += 1;
                apart += u32::from((a - b).abs() > 1e-4);
            }
        }
    });
    f64::from(apart) / f64::from(all)
}

/// Repeats a run with more ticks until it lasts long enough; gives ticks and outcome.
fn timed(seconds: f64, mut run: impl FnMut(u64) -> Outcome) -> (u64, Outcome) {
    let mut ticks = 200;
    loop {
        let outcome = run(ticks);
        if outcome.seconds >= seconds {
            return (ticks, outcome);
        }
        let factor = (1.2 * seconds / outcome.seconds.max(1e-6)).clamp(1.5, 20.0);
        ticks = (ticks as f64 * factor) as u64;
    }
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let mut csv = String::from(
        "robots,world_robot_steps_per_s,parry2d_robot_steps_per_s,ratio,cast_ratio,\
         share_apart,trace_hash\n",
    );
    println!("robots   world /s   parry2d /s   ratio   sensing only        apart   trace hash");
    for robots in [1_u16, 10, 100] {
        let spec = presets::arena(robots);
        let (ticks, ours) = timed(seconds, |ticks| {
            run(&spec, ticks, |world, banks| {
                for (robot, bank) in banks.iter_mut().enumerate() {
                    world.sense(robot, bank);
                }
            })
        });
        let hash = run(&spec, 1000, |world, banks| {
            for (robot, bank) in banks.iter_mut().enumerate() {
                world.sense(robot, bank);
            }
        })
        .hash;
        let start = World::new(&spec, Seed(1)).expect("the arena has room for its robots");
        let (parry_ticks, theirs) = timed(seconds, |ticks| {
            let mut parry = ParryScene::new(&spec, &start);
            run(&spec, ticks, |world, banks| {
                parry.update(world);
                for (robot, bank) in banks.iter_mut().enumerate() {
                    parry.sense(world, robot, bank, NOISE_SD);
                }
            })
        });
        let (blind_ticks, blind) = timed(seconds * 0.5, |ticks| run(&spec, ticks, |_, _| {}));
        let per_tick = |ticks: u64, outcome: &Outcome| outcome.seconds / ticks as f64;
        let rate = |t: f64| f64::from(robots) / t;
        let (a, b, c) =
            (per_tick(ticks, &ours), per_tick(parry_ticks, &theirs), per_tick(blind_ticks, &blind));
        let cast_ratio = (b - c) / (a - c);
        let apart = difference(&spec, 300);
        println!(
            "{robots:6} {:10.0} {:12.0} {:7.1} {cast_ratio:14.1} {apart:10.6}   {hash:016x}",
            rate(a),
            rate(b),
            b / a
        );
        let _ = writeln!(
            csv,
            "{robots},{:.0},{:.0},{:.2},{cast_ratio:.2},{apart:.7},{hash:016x}",
            rate(a),
            rate(b),
            b / a
        );
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/world.csv");
    match std::fs::write(&path, csv) {
        Ok(()) => println!("written: bench/results/world.csv"),
        Err(error) => println!("not written: {}: {error}", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_both_casters_see_the_same_scene() {
        assert!(difference(&presets::arena(8), 40) < 1e-3);
    }
}
