//! One run of a bug algorithm.

use tropism_body::{Command, Controller, Observer, Percept};
use tropism_core::{TimeStep, math};

use super::boundary::Boundary;
use super::marks::{Mark, Marks};
use super::parameters::{BugError, BugParameters};
use super::{Algorithm, BugResult, Phase, Reason, tangent};
use crate::course::{Channels, Echo, Side};
use crate::plane::{Point, Reckoning};
use crate::touch::{TouchFollower, smaller};
use crate::trail::{FollowLaw, Follower};

/// Seconds without encoders or goal after which a run ends.
const WAIT_S: f32 = 1.0;
/// Way between two looks whether the goal is free, m.
pub(super) const LOOK_EVERY_M: f32 = 0.08;
/// A contact this soon after a leave point, m: Bug0's looks along the boundary, too.
const FAILED_M: [f32; 2] = [0.06, 0.2];

/// A bug algorithm on the course robot.
#[derive(Clone, Copy, Debug)]
pub struct Bug {
    channels: Channels,
    pub(super) parameters: BugParameters,
    pub(super) algorithm: Algorithm,
    law: FollowLaw,
    pub(super) dt_s: f32,
    pub(super) pose: Reckoning,
    start: Point,
    goal: Option<Point>,
    pub(super) target: Option<Point>,
    pub(super) follower: Follower,
    pub(super) touch: TouchFollower,
    pub(super) boundary: Boundary,
    pub(super) phase: Phase,
    pub(super) after_face: Phase,
    result: BugResult,
    hits: Marks,
    pub(super) leaves: Marks,
    /// Leaves tried from the point nearest to the goal, by contact alone.
    pub(super) tries: u32,
    /// Where the last leave failed.
    failed_at: Option<Point>,
    waited_s: f32,
    contact_s: f32,
    pub(super) face_s: f32,
    /// Way from which a contact counts again after a leave, m.
    pub(super) free_from_m: f32,
    time_s: f32,
    travelled_m: f32,
    turn: f32,
}

impl Bug {
    /// A run before its first tick.
    ///
    /// # Errors
    /// [`BugError`] for numbers that contradict one another.
    pub fn new(
        channels: Channels,
        step: TimeStep,
        algorithm: Algorithm,
        parameters: BugParameters,
    ) -> Result<Self, BugError> {
        parameters.check()?;
        Ok(Self {
            channels,
            parameters,
            algorithm,
            law: FollowLaw::at(parameters.follow, 0.8 * parameters.base),
            dt_s: step.seconds(),
            pose: Reckoning::default(),
            start: Point::default(),
            goal: None,
            target: None,
            follower: Follower::default(),
            touch: TouchFollower::default(),
            tries: 0,
            boundary: Boundary::default(),
            phase: Phase::ToGoal,
            after_face: Phase::Follow,
            result: BugResult::Running,
            hits: Marks::default(),
            leaves: Marks::default(),
            failed_at: None,
            waited_s: 0.0,
            contact_s: 0.0,
            face_s: 0.0,
            free_from_m: 0.0,
            time_s: 0.0,
            travelled_m: 0.0,
            turn: 0.0,
        })
    }

    /// How the run stands.
    pub const fn result(&self) -> BugResult {
        self.result
    }

    /// What it is doing.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Hit points so far.
    pub const fn hits(&self) -> &Marks {
        &self.hits
    }

    /// Leave points so far.
    pub const fn leaves(&self) -> &Marks {
        &self.leaves
    }

    /// The reckoned pose.
    pub const fn pose(&self) -> &Reckoning {
        &self.pose
    }

    pub(super) fn end(&mut self, result: BugResult) {
        (self.result, self.phase) = (result, Phase::Done);
    }

    /// Takes odometry and goal; the goal when there is one.
    fn locate(&mut self, percept: &Percept) -> Option<Point> {
        let counts = self.channels.encoders(percept);
        if let Some(counts) = counts {
            self.pose.update(counts);
        }
        if self.goal.is_none() || counts.is_none() {
            self.waited_s += self.dt_s;
            if self.waited_s > WAIT_S {
                let reason = if counts.is_none() { Reason::NoOdometry } else { Reason::NoGoal };
                self.end(BugResult::Stuck(reason));
            }
        } else {
            self.waited_s = 0.0;
        }
        let seen = self.channels.goal(percept);
        match (self.goal, seen) {
            (None, Some((bearing, range))) => self.goal = Some(self.pose.place(range, bearing)),
            (Some(goal), Some((bearing, range))) if self.parameters.beacon_trust > 0.0 => {
                self.correct(goal, bearing, range);
            }
            _ => {}
        }
        self.goal
    }

    /// Corrects the reckoned pose by a goal reading.
    ///
    /// Model: off is the place the reading tells minus the reckoned one. With rangers, place +=
    /// trust·off. By contact alone the body turns at every touch, so the heading errs more than the
    /// way does: only the part of off along the line of sight moves the place; the part across it,
    /// divided by the range, turns the heading. A turn of the whole frame about the goal cannot be
    /// seen in either case, and need not be.
    fn correct(&mut self, goal: Point, bearing: f32, range_m: f32) {
        let trust = self.parameters.beacon_trust;
        let sight = self.pose.heading_rad + bearing;
        let off = goal.minus(Point::polar(range_m, sight)).minus(self.pose.at);
        if self.is_blind() && range_m > self.parameters.arrive {
            let toward = Point::polar(1.0, sight);
            self.pose.at = self.pose.at.plus(Point::polar(trust * off.dot(toward), sight));
            let turn = trust * toward.cross(off) / range_m;
            self.pose.heading_rad = math::wrap_angle(self.pose.heading_rad + turn);
        } else {
            self.pose.at = self.pose.at.plus(Point::new(trust * off.x, trust * off.y));
        }
    }

    fn echoes(&self, percept: &Percept) -> [Echo; 3] {
        if self.parameters.ranging >= 0.5 {
            self.channels.ranges(percept)
        } else {
            [Echo::Unknown; 3]
        }
    }

    /// Factor on the longest contact: where a boundary is only felt, corners are turned in contact.
    fn patience(&self) -> f32 {
        if self.is_blind() { 3.0 } else { 1.0 }
    }

    pub(super) fn goal_m(&self, goal: Point) -> f32 {
        self.pose.at.distance(goal)
    }

    /// Wheels for one tick.
    fn decide(&mut self, percept: &Percept) -> (f32, f32) {
        self.time_s += self.dt_s;
        let Some(goal) = self.locate(percept) else {
            return (0.0, 0.0);
        };
        let way_m = self.pose.travelled_m - self.travelled_m;
        self.travelled_m = self.pose.travelled_m;
        let is_bumped = self.channels.is_bumped(percept);
        self.contact_s = if is_bumped { self.contact_s + self.dt_s } else { 0.0 };
        if self.phase == Phase::Done {
            return (0.0, 0.0);
        }
        if self.goal_m(goal) < self.parameters.arrive {
            self.end(BugResult::Reached);
        } else if self.contact_s > self.parameters.collision * self.patience() {
            self.end(BugResult::Stuck(Reason::Collision));
        } else if self.time_s > self.parameters.limit {
            self.end(BugResult::Stuck(Reason::Time));
        }
        let echoes = self.echoes(percept);
        match self.phase {
            Phase::ToGoal => self.head_for_goal(goal, echoes, is_bumped),
            Phase::Follow => self.follow(goal, echoes, is_bumped, way_m),
            Phase::Return => self.go_back(echoes, is_bumped, way_m),
            Phase::Face => self.face(goal, echoes, is_bumped),
            Phase::Done => (0.0, 0.0),
        }
    }

    fn head_for_goal(&mut self, goal: Point, echoes: [Echo; 3], is_bumped: bool) -> (f32, f32) {
        if let Some(target) = self.target
            && self.pose.at.distance(target) < self.parameters.same
        {
            self.target = None;
        }
        let aim = self.target.unwrap_or(goal);
        let bearing = self.pose.bearing_of(aim);
        let aim_m = self.pose.at.distance(aim);
        let p = &self.parameters;
        let [left, front, right] = echoes;
        let is_blocked = front.is_within(smaller(p.enter, aim_m))
            || left.is_within(smaller(p.enter_side, aim_m))
            || right.is_within(smaller(p.enter_side, aim_m));
        let is_hit = is_bumped && self.pose.travelled_m >= self.free_from_m;
        if is_hit || (is_blocked && math::abs(bearing) < 0.35) {
            self.hit(goal, echoes, is_bumped);
            return (0.0, 0.0);
        }
        self.steer_to(bearing)
    }

    fn steer_to(&self, bearing: f32) -> (f32, f32) {
        let turn = math::clamp(self.parameters.turn_gain * bearing, -0.25, 0.25);
        (self.parameters.base * math::unit(1.0 - 1.6 * math::abs(bearing)), turn)
    }

    fn side(&self, goal: Point, echoes: [Echo; 3]) -> Side {
        if self.algorithm == Algorithm::Tangent {
            tangent::better_side(&self.pose, goal, echoes)
        } else if self.parameters.boundary_right >= 0.5 {
            Side::Right
        } else {
            Side::Left
        }
    }

    fn hit(&mut self, goal: Point, echoes: [Echo; 3], is_bumped: bool) {
        let mark = Mark { at: self.pose.at, goal_m: self.goal_m(goal) };
        let left_m = self.leaves.last().map_or(f32::INFINITY, |m| m.at.distance(mark.at));
        if self.is_blind() {
            if self.has_failed_to_leave(mark, left_m) {
                self.go_on(echoes, is_bumped);
                return;
            }
        } else if self.algorithm == Algorithm::Bug1
            && left_m < self.law.distance_m + self.parameters.same
        {
            // Back at the best point and blocked at once: no way leads on.
            self.end(BugResult::Unreachable);
            return;
        }
        let is_known = |m: &Mark| m.at.distance(mark.at) < self.parameters.same;
        // The second time at a place may be the first leave that failed; the third is a loop.
        if self.hits.all().iter().filter(|m| is_known(m)).count() >= 2 {
            self.end(BugResult::Stuck(Reason::Loop));
            return;
        }
        if !self.hits.add(mark) {
            self.end(BugResult::Stuck(Reason::TooManyHits));
            return;
        }
        let side = self.side(goal, echoes);
        self.target = None;
        self.begin_following(side, echoes, is_bumped);
        self.boundary = Boundary::begin(mark, &self.pose, self.cross(goal));
        self.boundary.is_closed_at_hit = self.is_blind();
        self.phase = Phase::Follow;
    }

    /// True for a contact so soon after a leave that the boundary was never left: felt by contact
    /// alone it was not out of reach.
    fn has_failed_to_leave(&mut self, mark: Mark, left_m: f32) -> bool {
        let is_bug0 = self.algorithm == Algorithm::Bug0;
        let is_near = left_m < FAILED_M[usize::from(is_bug0)];
        let has_failed_here =
            self.failed_at.is_some_and(|at| at.distance(mark.at) < self.parameters.same);
        let has_failed = is_near && !(is_bug0 && has_failed_here);
        if has_failed {
            self.failed_at = Some(mark.at);
        }
        has_failed
    }

    /// Takes a leave back and goes on along the same boundary.
    fn go_on(&mut self, echoes: [Echo; 3], is_bumped: bool) {
        self.leaves.drop_last();
        self.begin_following(self.follower.side, echoes, is_bumped);
        if self.after_face == Phase::Done {
            self.retry();
        } else {
            self.boundary.next_look_m = self.boundary.way_m + LOOK_EVERY_M;
            self.phase = Phase::Follow;
        }
    }

    /// True when the boundary is only felt.
    pub(super) fn is_blind(&self) -> bool {
        self.parameters.ranging < 0.5
    }

    fn begin_following(&mut self, side: Side, echoes: [Echo; 3], is_bumped: bool) {
        if self.is_blind() {
            self.follower.side = side;
            self.touch.begin(side, &self.pose);
        } else {
            self.follower.begin(side, &self.pose, echoes, is_bumped);
        }
    }

    pub(super) fn is_boundary_lost(&self) -> bool {
        if self.is_blind() { self.touch.is_lost() } else { self.follower.is_lost() }
    }

    /// One tick along the boundary.
    pub(super) fn hug(&mut self, echoes: [Echo; 3], is_bumped: bool) -> (f32, f32) {
        if self.is_blind() {
            self.touch.step(self.law.base, &self.pose, is_bumped)
        } else {
            self.follower.step(&self.law, &self.pose, echoes, is_bumped)
        }
    }

    /// Signed distance from the M-line, m.
    pub(super) fn cross(&self, goal: Point) -> f32 {
        let line = goal.minus(self.start);
        let length = line.length();
        if length > 0.0 { line.cross(self.pose.at.minus(self.start)) / length } else { 0.0 }
    }

    /// How near and how alike in heading two visits of a place are, m and rad. Felt by contact
    /// alone, a boundary is followed in strides, and corners are turned on the spot.
    pub(super) fn sameness(&self) -> (f32, f32) {
        let same = self.parameters.same;
        if self.is_blind() { (0.6 * same, 2.0) } else { (same, 1.0) }
    }

    fn follow(
        &mut self,
        goal: Point,
        echoes: [Echo; 3],
        is_bumped: bool,
        way_m: f32,
    ) -> (f32, f32) {
        let (pose, sameness) = (self.pose, self.sameness());
        let is_closed = self.boundary.advance(&pose, way_m, sameness);
        let goal_m = self.goal_m(goal);
        self.boundary.note(&pose, goal_m);
        if is_closed {
            if self.algorithm == Algorithm::Bug1 {
                self.turn_back();
            } else {
                self.end(BugResult::Unreachable);
            }
            return (0.0, 0.0);
        }
        if self.is_boundary_lost() {
            return self.lose_boundary();
        }
        if self.wants_to_leave(goal, goal_m, echoes) {
            self.after_face = Phase::Follow;
            self.begin_face();
            return (0.0, 0.0);
        }
        self.hug(echoes, is_bumped)
    }

    /// The boundary is gone: on to the goal, which cannot happen for ever since hits are counted.
    fn lose_boundary(&mut self) -> (f32, f32) {
        if self.phase == Phase::Return {
            self.end(BugResult::Stuck(Reason::LostBoundary));
        } else {
            self.phase = Phase::ToGoal;
        }
        (0.0, 0.0)
    }
}

impl Controller for Bug {
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        let (base, turn) = self.decide(percept);
        self.turn = turn;
        self.channels.steer(command, base, turn);
    }

    fn modules(&self) -> &'static [&'static str] {
        &["to_goal", "follow", "return", "face", "done"]
    }

    fn controlling_module(&self) -> usize {
        self.phase as usize
    }

    fn observe(&self, observer: &mut dyn Observer) {
        observer.value("result", None, f64::from(self.result.code()));
        observer.value("hits", None, self.hits.all().len() as f64);
        observer.value("leaves", None, self.leaves.all().len() as f64);
        for (name, marks) in [("hit", &self.hits), ("leave", &self.leaves)] {
            let mark = marks.last().unwrap_or_default();
            observer.value(name, Some("x_m"), f64::from(mark.at.x));
            observer.value(name, Some("y_m"), f64::from(mark.at.y));
            observer.value(name, Some("goal_m"), f64::from(mark.goal_m));
        }
        observer.value("odometry", Some("x_m"), f64::from(self.pose.at.x));
        observer.value("odometry", Some("y_m"), f64::from(self.pose.at.y));
        observer.value("odometry", Some("heading_rad"), f64::from(self.pose.heading_rad));
        observer.value("travelled_m", None, f64::from(self.pose.travelled_m));
        observer.value("turn", None, f64::from(self.turn));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Probe;
    use tropism_body::Reading;

    fn bug() -> Bug {
        let step = TimeStep::new(1, 100).unwrap();
        Bug::new(Probe::new().channels(), step, Algorithm::Bug2, BugParameters::default()).unwrap()
    }

    fn end(probe: &Probe, ticks: u32) -> (BugResult, (f32, f32)) {
        let mut bug = bug();
        let mut wheels = (0.0, 0.0);
        for _ in 0..ticks {
            wheels = probe.drive(&mut bug);
        }
        (bug.result(), wheels)
    }

    #[test]
    fn unit_bv_08_and_bug_08_contact_that_never_ends_is_a_result_and_an_all_stop() {
        let probe = Probe::new().goal(0.0, 2.0).set("bump", Reading::Fresh(1.0));
        assert_eq!(end(&probe, 300), (BugResult::Stuck(Reason::Collision), (0.0, 0.0)));
    }

    #[test]
    fn unit_bug_08_a_goal_or_odometry_that_never_comes_is_a_result() {
        let blind = Probe::new().set("goal_range", Reading::Missing);
        assert_eq!(end(&blind, 200), (BugResult::Stuck(Reason::NoGoal), (0.0, 0.0)));
        let lame = Probe::new().set("encoder_left", Reading::Missing);
        assert_eq!(end(&lame, 200), (BugResult::Stuck(Reason::NoOdometry), (0.0, 0.0)));
    }
}
