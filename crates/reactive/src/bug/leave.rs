//! Leaving a boundary, and the way back to where Bug1 leaves it.

use tropism_core::math;

use super::marks::Mark;
use super::run::{Bug, LOOK_EVERY_M};
use super::{Algorithm, BugResult, Phase, Reason, tangent};
use crate::course::{Echo, Side};
use crate::plane::Point;
use crate::touch::{STRIDE_M, smaller};

/// Longest turn on the spot, s.
const FACE_S: f32 = 4.0;
/// Leaves tried from the point nearest to the goal, by contact alone.
const TRIES: u32 = 4;
/// Nearer than this to the point nearest to the goal is there, by contact alone, m.
const HERE_M: f32 = 0.01;
/// Way after a leave on which a contact is still that of before, by contact alone, m.
const FREE_M: f32 = 0.004;

impl Bug {
    pub(super) fn begin_face(&mut self) {
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

    pub(super) fn wants_to_leave(&mut self, goal: Point, goal_m: f32, echoes: [Echo; 3]) -> bool {
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
            Algorithm::Bug0 => {
                // By contact alone, the heading tells where the boundary is only along a stride.
                let can_tell = !self.is_blind() || self.touch.is_along(&self.pose);
                can_tell && b.way_m >= b.next_look_m && self.is_free_towards(goal, echoes)
            }
            Algorithm::Bug2 => {
                is_crossing && goal_m < b.hit_m - closer && self.is_free_towards(goal, echoes)
            }
            Algorithm::Bug1 | Algorithm::Tangent => false,
        }
    }

    /// Chooses the shorter way back to the best point.
    pub(super) fn turn_back(&mut self) {
        if self.boundary.is_shorter_back() {
            self.follower.side = self.follower.side.other();
            if self.is_blind() {
                self.touch.reverse(&self.pose);
            }
        }
        self.tries = 0;
        // The distance of before was that from the anchor.
        self.boundary.apart_m = f32::INFINITY;
        self.phase = Phase::Return;
    }

    /// Goes on along the boundary after a leave from the point nearest to the goal was blocked; the
    /// reckoned point may be a little off, so it is tried again a little later.
    pub(super) fn retry(&mut self) {
        self.tries += 1;
        if self.tries >= TRIES {
            self.end(BugResult::Unreachable);
            return;
        }
        self.boundary.next_look_m = self.boundary.way_m + STRIDE_M;
        self.phase = Phase::Return;
    }

    /// True at the point nearest to the goal, and at the places after it where leaving is tried
    /// again.
    fn is_back(&mut self) -> bool {
        let near_m = self.sameness().0;
        let apart_m = self.pose.at.distance(self.boundary.best.at);
        if !self.is_blind() {
            return apart_m < 0.7 * near_m;
        }
        let before_m = core::mem::replace(&mut self.boundary.apart_m, apart_m);
        if self.tries > 0 {
            return self.boundary.way_m >= self.boundary.next_look_m;
        }
        apart_m < self.parameters.same && (apart_m < HERE_M || apart_m > before_m)
    }

    pub(super) fn go_back(&mut self, echoes: [Echo; 3], is_bumped: bool, way_m: f32) -> (f32, f32) {
        self.boundary.way_m += way_m;
        if self.is_back() {
            self.after_face = Phase::Done;
            self.begin_face();
            return (0.0, 0.0);
        }
        if self.boundary.way_m > 1.2 * self.boundary.circuit_m + 0.5 || self.is_boundary_lost() {
            self.end(BugResult::Stuck(Reason::LostBoundary));
            return (0.0, 0.0);
        }
        self.hug(echoes, is_bumped)
    }

    pub(super) fn face(&mut self, goal: Point, echoes: [Echo; 3], is_bumped: bool) -> (f32, f32) {
        let aim = self.target.unwrap_or(goal);
        let bearing = self.pose.bearing_of(aim);
        // Felt by contact alone, the boundary is touched while the body turns; driving on tells.
        let is_bumped = is_bumped && !self.is_blind();
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
            if self.is_blind() {
                // The contact of before is no hit.
                self.free_from_m = self.pose.travelled_m + FREE_M;
            }
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

#[cfg(test)]
mod tests {
    use tropism_core::TimeStep;

    use super::super::BugParameters;
    use super::super::boundary::Boundary;
    use super::*;
    use crate::plane::Reckoning;
    use crate::probe::Probe;

    /// A circuit by contact alone has just ended 1 cm from where it began; the place nearest to the
    /// goal lies 4 cm farther on.
    fn closed() -> Bug {
        let step = TimeStep::new(1, 100).unwrap();
        let parameters = BugParameters { ranging: 0.0, ..BugParameters::default() };
        let channels = Probe::new().channels();
        let mut bug = Bug::new(channels, step, Algorithm::Bug1, parameters).unwrap();
        let hit = Mark { at: Point::new(0.04, 0.0), goal_m: 3.0 };
        bug.boundary = Boundary::begin(hit, &Reckoning::default(), 0.0);
        bug.boundary.apart_m = 0.01;
        bug.turn_back();
        bug
    }

    #[test]
    fn unit_the_way_back_ends_at_the_best_place_and_not_on_the_way_to_it() {
        let mut bug = closed();
        for mm in 0..=29_u8 {
            bug.pose.at.x = 0.001 * f32::from(mm);
            assert!(!bug.is_back(), "still approaching, {mm} mm on");
        }
        bug.pose.at.x = 0.031;
        assert!(bug.is_back(), "there");
    }

    #[test]
    fn unit_the_way_back_ends_where_the_best_place_is_passed_by() {
        let mut bug = closed();
        bug.pose.at.y = 0.03;
        for mm in 0..=40_u8 {
            bug.pose.at.x = 0.001 * f32::from(mm);
            assert!(!bug.is_back(), "still approaching, {mm} mm on");
        }
        bug.pose.at.x = 0.041;
        assert!(bug.is_back(), "past it");
    }
}
