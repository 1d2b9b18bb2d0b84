//! One run of a bug algorithm.

use tropism_body::{Command, Controller, Observer, Percept};
use tropism_core::{TimeStep, math};

use super::boundary::Boundary;
use super::marks::{Mark, Marks};
use super::parameters::{BugError, BugParameters};
use super::{Algorithm, BugResult, Phase, Reason, tangent};
use crate::course::{Channels, Echo, RADIUS_M, Side};
use crate::plane::{Point, Reckoning};
use crate::trail::{FollowLaw, Follower};

/// Seconds without encoders or goal after which a run ends.
const WAIT_S: f32 = 1.0;
/// Way between two looks whether the goal is free, m.
const LOOK_EVERY_M: f32 = 0.08;
/// Longest turn on the spot, s.
const FACE_S: f32 = 4.0;
/// Distance of the centre from a boundary felt by contact alone, m.
pub const CONTACT_M: f32 = RADIUS_M + 0.02;

/// A bug algorithm on the course robot.
#[derive(Clone, Copy, Debug)]
pub struct Bug {
    channels: Channels,
    parameters: BugParameters,
    algorithm: Algorithm,
    law: FollowLaw,
    dt_s: f32,
    pose: Reckoning,
    start: Point,
    goal: Option<Point>,
    target: Option<Point>,
    follower: Follower,
    boundary: Boundary,
    phase: Phase,
    after_face: Phase,
    result: BugResult,
    hits: Marks,
    leaves: Marks,
    /// Where the last leave failed.
    failed_at: Option<Point>,
    waited_s: f32,
    contact_s: f32,
    face_s: f32,
    back_until_m: f32,
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
        let is_ranging = parameters.ranging >= 0.5;
        let distance_m = if is_ranging { parameters.follow } else { CONTACT_M };
        Ok(Self {
            channels,
            parameters,
            algorithm,
            law: FollowLaw::at(distance_m, 0.8 * parameters.base),
            dt_s: step.seconds(),
            pose: Reckoning::default(),
            start: Point::default(),
            goal: None,
            target: None,
            follower: Follower::default(),
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
            back_until_m: 0.0,
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

    fn end(&mut self, result: BugResult) {
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
                let to_goal = Point::polar(range, self.pose.heading_rad + bearing);
                let off = goal.minus(to_goal).minus(self.pose.at);
                let trust = self.parameters.beacon_trust;
                self.pose.at = self.pose.at.plus(Point::new(trust * off.x, trust * off.y));
            }
            _ => {}
        }
        self.goal
    }

    fn echoes(&self, percept: &Percept) -> [Echo; 3] {
        if self.parameters.ranging >= 0.5 {
            self.channels.ranges(percept)
        } else {
            [Echo::Unknown; 3]
        }
    }

    fn goal_m(&self, goal: Point) -> f32 {
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
        } else if self.contact_s > self.parameters.collision {
            self.end(BugResult::Stuck(Reason::Collision));
        } else if self.time_s > self.parameters.limit {
            self.end(BugResult::Stuck(Reason::Time));
        }
        let echoes = self.echoes(percept);
        match self.phase {
            Phase::ToGoal => self.head_for_goal(goal, echoes, is_bumped),
            Phase::Follow => self.follow(goal, echoes, is_bumped, way_m),
            Phase::Return => self.go_back(goal, echoes, is_bumped, way_m),
            Phase::Face => self.face(goal, echoes, is_bumped),
            Phase::Done => (0.0, 0.0),
        }
    }

    fn head_for_goal(&mut self, goal: Point, echoes: [Echo; 3], is_bumped: bool) -> (f32, f32) {
        if self.pose.travelled_m < self.back_until_m {
            return (-0.5 * self.parameters.base, 0.0);
        }
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
        if is_bumped || (is_blocked && math::abs(bearing) < 0.35) {
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
        // Back at the best point and blocked at once: no way leads on.
        let left_at = self.leaves.last().map(|m| m.at.distance(mark.at));
        let is_near = left_at.is_some_and(|d| d < self.law.distance_m + self.parameters.same);
        if self.algorithm == Algorithm::Bug1 && is_near {
            self.end(BugResult::Unreachable);
            return;
        }
        let is_blind = self.parameters.ranging < 0.5;
        let is_same = |at: Point| at.distance(mark.at) < self.parameters.same;
        let has_failed_here = self.failed_at.is_some_and(is_same);
        if self.algorithm == Algorithm::Bug0 && is_blind && is_near && !has_failed_here {
            // Felt by contact alone, the boundary was never out of reach: the leave failed, and the
            // circuit goes on.
            self.failed_at = Some(mark.at);
            self.leaves.drop_last();
            self.boundary.next_look_m = self.boundary.way_m + LOOK_EVERY_M;
            self.follower.begin(self.follower.side, &self.pose, echoes, is_bumped);
            self.phase = Phase::Follow;
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
        self.follower.begin(side, &self.pose, echoes, is_bumped);
        self.boundary = Boundary::begin(mark, &self.pose, self.cross(goal));
        self.phase = Phase::Follow;
    }

    /// Signed distance from the M-line, m.
    fn cross(&self, goal: Point) -> f32 {
        let line = goal.minus(self.start);
        let length = line.length();
        if length > 0.0 { line.cross(self.pose.at.minus(self.start)) / length } else { 0.0 }
    }

    /// How near and how alike in heading two visits of a place are, m and rad. Felt by contact
    /// alone, a boundary is followed in jerks.
    fn sameness(&self) -> (f32, f32) {
        let same = self.parameters.same;
        if self.parameters.ranging >= 0.5 { (same, 1.0) } else { (1.5 * same, 1.6) }
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
        if self.follower.is_lost() {
            return self.lose_boundary();
        }
        if self.wants_to_leave(goal, goal_m, echoes) {
            self.after_face = Phase::Follow;
            self.begin_face();
            return (0.0, 0.0);
        }
        self.follower.step(&self.law, &self.pose, echoes, is_bumped)
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

    fn begin_face(&mut self) {
        self.boundary.next_look_m = self.boundary.way_m + LOOK_EVERY_M;
        self.face_s = 0.0;
        self.phase = Phase::Face;
    }

    /// True when the goal lies off the boundary and, as far as seen, nothing is in the way.
    fn is_free_towards(&self, aim: Point, [left, front, right]: [Echo; 3]) -> bool {
        let bearing = self.pose.bearing_of(aim);
        let off = -self.follower.side.sign() * bearing;
        if !(-0.2..=math::PI - 0.3).contains(&off) {
            return false;
        }
        let far = smaller(self.parameters.leave, self.pose.at.distance(aim));
        let other = if self.follower.side == Side::Right { left } else { right };
        match math::abs(bearing) {
            b if b < 0.4 => !front.is_within(far),
            b if b < 1.2 => !other.is_within(far),
            _ => true,
        }
    }

    fn wants_to_leave(&mut self, goal: Point, goal_m: f32, echoes: [Echo; 3]) -> bool {
        let cross = self.cross(goal);
        let is_crossing = (cross < 0.0) != (self.boundary.cross < 0.0);
        self.boundary.cross = cross;
        let closer = self.parameters.closer;
        if self.algorithm == Algorithm::Tangent {
            let side = self.follower.side;
            let seen = tangent::boundary_m(&self.pose, goal, echoes, side);
            let b = &mut self.boundary;
            b.followed_m = smaller(smaller(b.followed_m, seen), b.hit_m);
            let (point, reach_m) = tangent::nearest_free(&self.pose, goal, echoes, side);
            let is_better = reach_m < b.followed_m - closer && b.way_m >= b.next_look_m;
            if is_better && self.is_free_towards(point, echoes) {
                self.target = Some(point);
                return true;
            }
            return false;
        }
        let b = &self.boundary;
        match self.algorithm {
            Algorithm::Bug0 => b.way_m >= b.next_look_m && self.is_free_towards(goal, echoes),
            Algorithm::Bug2 => {
                is_crossing && goal_m < b.hit_m - closer && self.is_free_towards(goal, echoes)
            }
            Algorithm::Bug1 | Algorithm::Tangent => false,
        }
    }

    /// Chooses the shorter way back to the best point.
    fn turn_back(&mut self) {
        if self.boundary.is_shorter_back() {
            self.follower.side = self.follower.side.other();
        }
        self.phase = Phase::Return;
    }

    fn go_back(
        &mut self,
        _goal: Point,
        echoes: [Echo; 3],
        is_bumped: bool,
        way_m: f32,
    ) -> (f32, f32) {
        self.boundary.way_m += way_m;
        if self.pose.at.distance(self.boundary.best.at) < 0.7 * self.sameness().0 {
            self.after_face = Phase::Done;
            self.begin_face();
            return (0.0, 0.0);
        }
        if self.boundary.way_m > 1.2 * self.boundary.circuit_m + 0.5 || self.follower.is_lost() {
            self.end(BugResult::Stuck(Reason::LostBoundary));
            return (0.0, 0.0);
        }
        self.follower.step(&self.law, &self.pose, echoes, is_bumped)
    }

    fn face(&mut self, goal: Point, echoes: [Echo; 3], is_bumped: bool) -> (f32, f32) {
        let aim = self.target.unwrap_or(goal);
        let bearing = self.pose.bearing_of(aim);
        self.face_s += self.dt_s;
        if math::abs(bearing) > 0.06 && self.face_s < FACE_S && !is_bumped {
            let size = math::clamp(math::abs(bearing) * self.parameters.turn_gain, 0.03, 0.2);
            return (0.0, if bearing < 0.0 { -size } else { size });
        }
        let far = smaller(self.parameters.leave, self.pose.at.distance(aim));
        let is_free = !echoes[1].is_within(far) && !is_bumped;
        if is_free {
            let mark = Mark { at: self.pose.at, goal_m: self.goal_m(goal) };
            // Leaves are as many as hits, so there is room.
            let _ = self.leaves.add(mark);
            self.phase = Phase::ToGoal;
        } else if self.after_face == Phase::Done {
            self.end(BugResult::Unreachable);
        } else {
            self.target = None;
            self.phase = Phase::Follow;
        }
        (0.0, 0.0)
    }
}

#[inline]
fn smaller(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
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
