//! Contact sensing: which segments touch which objects.
//!
//! A segment touches an object when the closest point of the closed segment lies at most
//! radius + 3 px from the object's centre.

use alloc::vec::Vec;

use crate::arm::Pose;
use crate::constants::SENSOR_RADIUS;
use crate::objects::{Kind, Object, ObjectId, compare_objects};
use crate::vector::{Point, closest_on_segment};

/// One segment touching one object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Segment, 0 at the base.
    pub segment: usize,
    /// The touched object.
    pub object: ObjectId,
    /// What it is.
    pub kind: Kind,
    /// Closest point of the segment, px.
    pub point: Point,
}

/// Writes all contacts of a pose into `contacts`: by segment, then in the order of `objects`.
pub(crate) fn sense(pose: &Pose, length: f64, objects: &[Object], contacts: &mut Vec<Contact>) {
    contacts.clear();
    let (low, high) = bounds(pose);
    let outside = |o: &Object| {
        let reach = o.radius + SENSOR_RADIUS;
        o.position.x < low.x - reach
            || o.position.x > high.x + reach
            || o.position.y < low.y - reach
            || o.position.y > high.y + reach
    };
    // Few objects meet the arm's box; only those are looked at by segment.
    let mut near = [0_usize; NEAR];
    let mut count = 0;
    for (index, object) in objects.iter().enumerate() {
        if outside(object) {
            continue;
        }
        if count == NEAR {
            sense_each(pose, length, &objects.iter(), contacts);
            return;
        }
        near[count] = index;
        count += 1;
    }
    if count > 0 {
        sense_each(pose, length, &near[..count].iter().map(|i| &objects[*i]), contacts);
    }
}

/// Objects near an arm that are told apart from the rest; with more, all are looked at.
const NEAR: usize = 16;

fn sense_each<'a>(
    pose: &Pose,
    length: f64,
    objects: &(impl Iterator<Item = &'a Object> + Clone),
    contacts: &mut Vec<Contact>,
) {
    for (segment, ends) in pose.points.windows(2).enumerate() {
        let middle = (ends[0] + ends[1]) * 0.5;
        for object in objects.clone() {
            let reach = object.radius + SENSOR_RADIUS;
            let bound = reach + 0.5 * length + 1e-6;
            if (object.position - middle).norm_squared() > bound * bound {
                continue;
            }
            let point = closest_on_segment(ends[0], ends[1], object.position);
            if point.distance(object.position) <= reach && contacts.len() < contacts.capacity() {
                contacts.push(Contact { segment, object: object.id, kind: object.kind, point });
            }
        }
    }
}

/// Corners of the smallest box around a pose.
pub(crate) fn bounds(pose: &Pose) -> (Point, Point) {
    let mut low = pose.points[0];
    let mut high = low;
    for p in &pose.points[1..] {
        low = Point::new(low.x.min(p.x), low.y.min(p.y));
        high = Point::new(high.x.max(p.x), high.y.max(p.y));
    }
    (low, high)
}

/// How candidates for a grasp are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CandidateOrder {
    /// By id, as the public model does.
    Id,
    /// By place, radius and only then id: independent of the order of the scene's list.
    Canonical,
}

/// The food held by two neighbouring segments, and the second of them.
///
/// `allowed` says which food may be taken.
pub(crate) fn grasp_candidate(
    contacts: &[Contact],
    objects: &[Object],
    order: CandidateOrder,
    allowed: impl Fn(ObjectId) -> bool,
) -> Option<(ObjectId, usize)> {
    let mut best: Option<(ObjectId, usize)> = None;
    for (at, contact) in contacts.iter().enumerate() {
        let is_pair = contact.kind == Kind::Food
            && contact.segment > 0
            && contacts[..at].iter().rev().any(|before| {
                before.object == contact.object && before.segment + 1 == contact.segment
            });
        if !is_pair || !allowed(contact.object) {
            continue;
        }
        let wins = best.is_none_or(|(held, _)| match order {
            CandidateOrder::Id => contact.object < held,
            CandidateOrder::Canonical => precedes(objects, contact.object, held),
        });
        if wins && best.is_none_or(|(held, _)| held != contact.object) {
            best = Some((contact.object, contact.segment));
        }
    }
    best
}

fn precedes(objects: &[Object], a: ObjectId, b: ObjectId) -> bool {
    let find = |id| objects.iter().find(|o| o.id == id);
    match (find(a), find(b)) {
        (Some(a), Some(b)) => compare_objects(a, b).is_lt(),
        _ => a < b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arm::{Arm, ArmParameters};

    fn food(id: u32, x: f64, y: f64) -> Object {
        let position = Point::new(x, y);
        Object { id: ObjectId(id), kind: Kind::Food, position, radius: 5.0, reward: 1.0 }
    }

    fn straight() -> Arm {
        let parameters = ArmParameters::new(10, 10.0, 1.0, 1.0).unwrap();
        let mut arm = Arm::new(Point::default(), 0.0, parameters);
        assert!(arm.set_angles(&[0.0; 10]));
        arm
    }

    #[test]
    fn unit_touching_counts_and_order_is_segment_then_object() {
        let arm = straight();
        let mut contacts = Vec::with_capacity(20);
        let objects = [food(1, 45.0, 8.0), food(2, 50.0, -8.0)];
        sense(arm.pose(), 10.0, &objects, &mut contacts);
        let seen: Vec<_> = contacts.iter().map(|c| (c.segment, c.object.0)).collect();
        assert_eq!(seen, [(4, 1), (4, 2), (5, 2)]);
        let candidate = grasp_candidate(&contacts, &objects, CandidateOrder::Id, |_| true);
        assert_eq!(candidate, Some((ObjectId(2), 5)));
    }

    #[test]
    fn unit_the_candidate_order_is_by_id_or_by_place() {
        let arm = straight();
        let mut contacts = Vec::with_capacity(40);
        let objects = [food(1, 70.0, 1.0), food(2, 20.0, 1.0)];
        sense(arm.pose(), 10.0, &objects, &mut contacts);
        let pick = |order| grasp_candidate(&contacts, &objects, order, |_| true);
        assert_eq!(pick(CandidateOrder::Id).map(|c| c.0), Some(ObjectId(1)));
        assert_eq!(pick(CandidateOrder::Canonical).map(|c| c.0), Some(ObjectId(2)));
        let only = grasp_candidate(&contacts, &objects, CandidateOrder::Id, |id| id.0 == 2);
        assert_eq!(only.map(|c| c.0), Some(ObjectId(2)));
        assert_eq!(pick(CandidateOrder::Id).map(|c| c.1), Some(7));
    }
}
