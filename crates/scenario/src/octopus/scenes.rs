//! Reach scenes: one bare arm, some obstacles, one target; how often and how fast it is reached.
//!
//! Recipe of a scene: base (0, 0), 20 segments of 12 px, bends up to 60°, 1.5 rad/s, fresh arm with
//! heading 0. A *witness* pose is drawn (any base heading; bends along straight lines between
//! five knots within ±0.28 rad); its tip is the target. Obstacles, radius 8 to 25 px, centres
//! anywhere within 240 px, are kept when at least 6 px away from the fresh arm and from the witness
//! and 2 px from each other. A scene is feasible in the end; no way to it is promised.
//!
//! What it does not do: it trusts no law. [`Checker`] looks at what the arm really did.

use tropism_core::math::f64 as math;
use tropism_core::{Purpose, Seed, Tick};
use tropism_octopus::law::Surroundings;
use tropism_octopus::{Arm, ArmParameters, Disc, Law, LawKind, Point, Pose};

use super::field::{Field, FormatError};
use super::json::Json;

/// Updates within which a target must be reached: 20 s.
pub const UPDATES: u64 = 2400;
/// Distance at which a target counts as reached, px.
pub const TOLERANCE: f64 = 2.0;

/// One scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Seed it was made from.
    pub seed: u64,
    /// Where the tip is to be brought, px.
    pub target: Point,
    /// Centre and radius, px.
    pub obstacles: Vec<(Point, f64)>,
    /// Update at which the recorded reference law reached it, −1 for never, if the file says so.
    pub peer_updates: Option<i64>,
}

/// Scenes with one number of obstacles.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneRow {
    /// Number of obstacles.
    pub obstacles: usize,
    /// The scenes.
    pub scenes: Vec<Scene>,
}

/// What an arm made of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneResult {
    /// Update at which the tip was first within tolerance.
    pub reached: Option<u64>,
    /// Least distance of a segment from an obstacle's rim at any fine step, px; negative inside.
    pub least_gap: f64,
    /// Distance of the tip from the target at the end, px.
    pub end_distance: f64,
    /// The law said that the target is unreachable.
    pub said_unreachable: bool,
}

/// Reads a file of scenes.
///
/// # Errors
/// [`FormatError`].
pub fn parse(bytes: &[u8]) -> Result<Vec<SceneRow>, FormatError> {
    let json = Json::parse(bytes)?;
    let root = Field::root(&json);
    let scenes = root.need("scenes")?;
    let super::json::Value::Object(entries) = &scenes.json.value else {
        return Err(scenes.error("an object is expected"));
    };
    let mut rows = Vec::new();
    for (key, _) in entries {
        let row = scenes.need(key)?;
        let obstacles =
            key.parse().map_err(|e| row.error(format!("keys are numbers of obstacles: {e}")))?;
        let scenes = row.items()?.map(|item| scene(&item)).collect::<Result<_, _>>()?;
        rows.push(SceneRow { obstacles, scenes });
    }
    Ok(rows)
}

fn scene(item: &Field<'_>) -> Result<Scene, FormatError> {
    let mut obstacles = Vec::new();
    for disc in item.need("obstacles")?.items()? {
        let numbers = disc.json.as_array().filter(|a| a.len() == 3);
        let numbers = numbers.and_then(|a| Some((a[0].as_f64()?, a[1].as_f64()?, a[2].as_f64()?)));
        let fault = || disc.error("[x, y, radius] is expected");
        let (x, y, radius) = numbers.filter(|n| n.2 > 0.0).ok_or_else(fault)?;
        obstacles.push((Point::new(x, y), radius));
    }
    let peer = item.get("peer_updates");
    Ok(Scene {
        seed: item.get("seed").map_or(Ok(0), |f| f.integer(0..=i64::MAX))? as u64,
        target: item.need("target")?.point()?,
        obstacles,
        peer_updates: peer.map(|f| f.integer(-1..=i64::MAX)).transpose()?,
    })
}

const SCENE: Purpose = Purpose::named("octopus.scene");

/// Makes fresh scenes by the recipe of the module.
pub fn generate(seed: u64, counts: &[usize], scenes: u32) -> Vec<SceneRow> {
    let row = |obstacles: &usize| SceneRow {
        obstacles: *obstacles,
        scenes: (0..scenes).map(|i| generate_one(seed, *obstacles, i)).collect(),
    };
    counts.iter().map(row).collect()
}

fn generate_one(seed: u64, count: usize, index: u32) -> Scene {
    let mut draws = Seed(seed).stream(SCENE, count as u32, index).at(Tick(0));
    let fresh = Arm::new(Point::default(), 0.0, ArmParameters::default());
    let mut witness = fresh.clone();
    let mut angles = [0.0; 20];
    let knots: [f64; 5] = core::array::from_fn(|_| 0.28 * f64::from(draws.signed_uniform()));
    for (i, angle) in angles.iter_mut().enumerate().skip(1) {
        let at = (i - 1) as f64 * 4.0 / 18.0;
        let left = (at as usize).min(3);
        let share = at - left as f64;
        *angle = knots[left] * (1.0 - share) + knots[left + 1] * share;
    }
    angles[0] = core::f64::consts::PI * f64::from(draws.signed_uniform());
    assert!(witness.set_angles(&angles), "the recipe stays within the limits");
    let mut obstacles: Vec<(Point, f64)> = Vec::new();
    while obstacles.len() < count {
        let x = 240.0 * f64::from(draws.signed_uniform());
        let y = 240.0 * f64::from(draws.signed_uniform());
        let (centre, radius) = (Point::new(x, y), f64::from(draws.between(8.0, 25.0)));
        let keeps = |pose: &Pose| gap(&pose.points, centre, radius) >= 6.0;
        let is_apart = obstacles.iter().all(|(c, r)| c.distance(centre) >= r + radius + 2.0);
        let is_near = centre.norm() <= 240.0;
        if is_near && is_apart && keeps(fresh.pose()) && keeps(witness.pose()) {
            obstacles.push((centre, radius));
        }
    }
    Scene { seed: u64::from(index), target: witness.tip(), obstacles, peer_updates: None }
}

/// Distance of a chain of points from a circle's rim, written apart from the model's own.
fn gap(points: &[Point], centre: Point, radius: f64) -> f64 {
    let mut least = f64::INFINITY;
    for k in 1..points.len() {
        let (ax, ay) = (points[k - 1].x - centre.x, points[k - 1].y - centre.y);
        let (bx, by) = (points[k].x - centre.x, points[k].y - centre.y);
        let (dx, dy) = (bx - ax, by - ay);
        let share = (-(ax * dx + ay * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
        let (x, y) = (ax + share * dx, ay + share * dy);
        least = least.min(math::sqrt(x * x + y * y) - radius);
    }
    least
}

/// Looks at what an arm really did between two ticks, in fine steps and with its own geometry.
#[derive(Clone, Debug)]
pub struct Checker {
    /// Parts into which a tick is divided.
    pub parts: u32,
    /// Least gap so far, px.
    pub least_gap: f64,
}

impl Checker {
    /// A checker that divides every tick into so many parts.
    pub const fn new(parts: u32) -> Self {
        Self { parts, least_gap: f64::INFINITY }
    }

    /// Looks at one tick: angles before and after.
    pub fn look(
        &mut self,
        base: Point,
        length: f64,
        (before, after): (&[f64], &[f64]),
        obstacles: &[(Point, f64)],
    ) {
        let pi = core::f64::consts::PI;
        let mut points = vec![base; before.len() + 1];
        for part in 1..=self.parts {
            let share = f64::from(part) / f64::from(self.parts);
            let mut heading = 0.0;
            for (i, (a, b)) in before.iter().zip(after).enumerate() {
                let mut change = b - a;
                if i == 0 && change > pi {
                    change -= 2.0 * pi;
                } else if i == 0 && change < -pi {
                    change += 2.0 * pi;
                }
                heading += a + share * change;
                let (sine, cosine) = math::sin_cos(heading);
                let from = points[i];
                points[i + 1] = Point::new(from.x + length * cosine, from.y + length * sine);
            }
            for (centre, radius) in obstacles {
                self.least_gap = self.least_gap.min(gap(&points, *centre, *radius));
            }
        }
    }
}

/// How a scene is run.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings {
    /// The law.
    pub law: LawKind,
    /// Joint speed, rad/s.
    pub turning_speed: f64,
    /// Updates at most.
    pub updates: u64,
    /// Parts per tick looked at by the checker; 0 for none.
    pub checker_parts: u32,
    /// Stop when reached.
    pub stops_when_reached: bool,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            law: LawKind::Reach,
            turning_speed: 1.5,
            updates: UPDATES,
            checker_parts: 16,
            stops_when_reached: true,
        }
    }
}

/// Runs one scene.
///
/// # Panics
/// When the turning speed is out of range.
pub fn run(scene: &Scene, settings: &RunSettings) -> SceneResult {
    let parameters = ArmParameters::default().with_turning_speed(settings.turning_speed);
    let mut arm = Arm::new(Point::default(), 0.0, parameters.expect("a speed above 0"));
    let mut law = Law::new(settings.law, &arm, scene.obstacles.len());
    let mut discs: Vec<Disc> = scene
        .obstacles
        .iter()
        .map(|(centre, radius)| Disc { centre: *centre, radius: *radius, first_segment: 0 })
        .collect();
    if settings.law == LawKind::Reach {
        discs.sort_by(|a, b| {
            a.centre.x.total_cmp(&b.centre.x).then(a.centre.y.total_cmp(&b.centre.y))
        });
    }
    let mut next = Pose::with_segments(20);
    let mut checker = Checker::new(settings.checker_parts);
    let mut reached = None;
    for update in 1..=settings.updates {
        let around = Surroundings {
            obstacles: &discs,
            obstacle_revision: 1,
            payload: None,
            dt: 1.0 / 120.0,
            tick: Tick(update),
        };
        let motion = law.as_dyn().propose(&arm, scene.target, &around, &mut next);
        if motion.moved {
            arm.take(&mut next);
            let length = arm.parameters().segment_length();
            let ends = (&next.angles[..], &arm.pose().angles[..]);
            checker.look(arm.base(), length, ends, &scene.obstacles);
        }
        if reached.is_none() && arm.tip().distance(scene.target) <= TOLERANCE {
            reached = Some(update);
            if settings.stops_when_reached {
                break;
            }
        }
    }
    SceneResult {
        reached,
        least_gap: checker.least_gap,
        end_distance: arm.tip().distance(scene.target),
        said_unreachable: law.finds_unreachable(),
    }
}
