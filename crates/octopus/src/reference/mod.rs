//! The `reference` law: neighbours ask neighbours.
//!
//! Every segment holds one *request*: where it would like to start and which heading it would
//! like. A request travels one joint per tick from the tip to the base; the base-to-tip pass turns
//! each joint towards its goal by a bounded, eased step; the whole turn is accepted or refused by
//! the swept guard.
//!
//! Per tick, with target t, attachments `p`, goals `e`, bend limit b, speed w, response k = 20/s:
//! `e_i` = start of request i+1 (t for the tip), steered around obstacles;
//! `φ_i` = `φ_{i+1}` + clip(wrap(β − `φ_{i+1}`), ±b) with β the direction to `e_i`;
//! request i = (`e_i` − L u(`φ_i`), wrap(`φ_i`));
//! `Δα_i` = clip(wrap(β' − θ' − `α_i`)(1 − exp(−k dt)), ±w dt).
//!
//! # Source
//! D. Walker, `OctopusController`, the published rules of phases 1 and 2. Differences: none in
//! the results; pairs of segment and obstacle that cannot fail the guard are not sampled.
//!
//! What it does not do: it searches no route, remembers no failure and never changes the side on
//! which it passes an obstacle.

mod guard;
mod steering;

use alloc::vec::Vec;

use tropism_core::math::f64 as math;

pub(crate) use guard::{Guard, Rule, sample_count};

use crate::arm::{Arm, Pose};
use crate::constants::{
    ARM_CLEARANCE, DIRECTION_TOLERANCE, LOOK_AHEAD_SEGMENTS, REACH_TOLERANCE, SENSOR_RADIUS,
    STEERING_MARGIN, STEERING_RESPONSE,
};
use crate::contact::bounds;
use crate::law::{ArmLaw, Motion, Surroundings};
use crate::objects::Disc;
use crate::vector::{Point, clip, segment_distance, wrap};
use steering::steer;

/// What a segment asks of the segment nearer to the base.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Request {
    /// Where the segment would like to start, px.
    pub start: Point,
    /// Which heading it would like, rad.
    pub heading: f64,
}

/// State of the `reference` law: one request per segment.
#[derive(Debug)]
pub struct ReferenceLaw {
    requests: Vec<Request>,
    guard: Guard,
    /// Obstacles that can matter in this tick, in the order given.
    near: Vec<Disc>,
}

impl ReferenceLaw {
    /// A law whose requests ask for the pose the arm has.
    pub fn new(arm: &Arm) -> Self {
        let segments = arm.parameters().segment_count();
        let mut law = Self {
            requests: alloc::vec![Request::default(); segments],
            guard: Guard::default(),
            near: Vec::new(),
        };
        law.reset(arm);
        law
    }

    /// The requests, base first.
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// Puts back stored requests; false when their number is wrong or one is not finite.
    pub fn set_requests(&mut self, requests: &[Request]) -> bool {
        let fits = requests.len() == self.requests.len()
            && requests.iter().all(|r| r.start.is_finite() && r.heading.is_finite());
        if fits {
            self.requests.copy_from_slice(requests);
        }
        fits
    }

    /// Keeps the obstacles that steering or the guard could find near.
    ///
    /// Steering starts from joints of this pose or the next and looks at most three segments
    /// ahead; no joint travels further in a tick than L w dt N (N + 1)/2.
    fn find_near(&mut self, arm: &Arm, around: &Surroundings<'_>) {
        let parameters = arm.parameters();
        let (length, count) = (parameters.segment_length(), parameters.segment_count() as f64);
        let most = parameters.turning_speed() * around.dt * 0.5 * count * (count + 1.0);
        let slack = length * (most + LOOK_AHEAD_SEGMENTS) + ARM_CLEARANCE + STEERING_MARGIN + 1.0;
        let (low, high) = bounds(&arm.pose);
        self.near.clear();
        self.near.extend(around.obstacles.iter().filter(|disc| {
            let reach = disc.radius + slack;
            disc.centre.x >= low.x - reach
                && disc.centre.x <= high.x + reach
                && disc.centre.y >= low.y - reach
                && disc.centre.y <= high.y + reach
        }));
    }

    /// Steps 4 to 6: every segment reads its neighbour's old request and writes its own.
    fn exchange(&mut self, arm: &Arm, target: Point) -> bool {
        let length = arm.parameters().segment_length();
        let limit = arm.parameters().maximum_bend();
        let segments = self.requests.len();
        let mut avoiding = false;
        // Going up from the base, the entry above is still the old one.
        for i in 0..segments {
            let from = arm.pose.points[i];
            let above = self.requests.get(i + 1).copied();
            let goal = above.map_or(target, |r| r.start);
            let (goal, steered) = steer(from, goal, length, &self.near);
            avoiding |= steered;
            let away = goal - from;
            let apart_squared = away.norm_squared();
            let has_direction = apart_squared > DIRECTION_TOLERANCE * DIRECTION_TOLERANCE;
            let wanted = if has_direction { away.angle() } else { arm.pose.headings[i] };
            let turn = above.map_or(0.0, |r| wrap(wanted - r.heading));
            let is_clipped = !(-limit..=limit).contains(&turn);
            let heading = above.map_or(wanted, |r| r.heading + clip(turn, -limit, limit));
            // Unclipped, the heading is the direction to the goal and needs no sine.
            let along = if has_direction && !is_clipped {
                away * (1.0 / math::sqrt(apart_squared))
            } else {
                Point::unit(heading)
            };
            self.requests[i] = Request { start: goal - along * length, heading: wrap(heading) };
            // The steered goal rides along for the forward pass.
            self.guard.goals[i] = goal;
        }
        avoiding
    }

    /// Step 7: turns every joint, base first, towards its steered goal.
    fn turn(&self, arm: &Arm, around: &Surroundings<'_>, next: &mut Pose) -> bool {
        let parameters = arm.parameters();
        let length = parameters.segment_length();
        let limit = parameters.maximum_bend();
        let easing = 1.0 - math::exp(-STEERING_RESPONSE * around.dt);
        let most = parameters.turning_speed() * around.dt;
        let mut avoiding = false;
        let mut at = arm.base();
        let mut parent = 0.0;
        next.points[0] = at;
        for (i, old) in arm.pose.angles.iter().enumerate() {
            let (goal, steered) = steer(at, self.guard.goals[i], length, &self.near);
            avoiding |= steered;
            let away = goal - at;
            let mut angle = *old;
            if away.norm_squared() > DIRECTION_TOLERANCE * DIRECTION_TOLERANCE {
                let error = wrap(away.angle() - parent - angle);
                angle += clip(error * easing, -most, most);
                angle = if i == 0 { wrap(angle) } else { clip(angle, -limit, limit) };
            }
            parent += angle;
            at = at + Point::unit(parent) * length;
            next.angles[i] = angle;
            next.headings[i] = parent;
            next.points[i + 1] = at;
        }
        avoiding
    }
}

/// True when the point lies inside an obstacle's clearance region.
pub(crate) fn is_covered(point: Point, obstacles: &[Disc]) -> bool {
    obstacles.iter().any(|disc| {
        let limit = disc.radius + ARM_CLEARANCE;
        (point - disc.centre).norm_squared() < limit * limit
    })
}

/// True when a segment senses an obstacle.
pub(crate) fn touches(pose: &Pose, obstacles: &[Disc]) -> bool {
    pose.points.windows(2).enumerate().any(|(i, ends)| {
        obstacles.iter().any(|disc| {
            i >= disc.first_segment
                && segment_distance(ends[0], ends[1], disc.centre) <= disc.radius + SENSOR_RADIUS
        })
    })
}

impl ArmLaw for ReferenceLaw {
    fn reset(&mut self, arm: &Arm) {
        let pose = arm.pose();
        self.requests.resize(pose.segments(), Request::default());
        for (i, request) in self.requests.iter_mut().enumerate() {
            *request = Request { start: pose.points[i], heading: pose.headings[i] };
        }
    }

    fn reserve(&mut self, segments: usize, obstacles: usize) {
        self.guard.reserve(segments, obstacles);
        self.near.clear();
        self.near.reserve(obstacles);
    }

    fn retarget(&mut self) {}

    fn drift(&mut self) {}

    fn refused(&mut self) {}

    fn propose(
        &mut self,
        arm: &Arm,
        target: Point,
        around: &Surroundings<'_>,
        next: &mut Pose,
    ) -> Motion {
        if is_covered(target, around.obstacles) {
            return Motion { blocked: true, ..Motion::default() };
        }
        let arrived = arm.tip().distance(target) <= REACH_TOLERANCE;
        if arrived && !touches(arm.pose(), around.obstacles) {
            return Motion::default();
        }
        self.find_near(arm, around);
        let mut avoiding = self.exchange(arm, target);
        avoiding |= self.turn(arm, around, next);
        let length = arm.parameters().segment_length();
        let moved = self.guard.accepts((arm.pose(), next), length, &self.near, Rule::REFERENCE);
        Motion { moved, blocked: !moved, avoiding }
    }

    fn finds_unreachable(&self) -> bool {
        false
    }
}
