//! Food and obstacles: circles with an identity.
//!
//! Terms: an *id* is a positive whole number that is never used twice; the *canonical order* of
//! objects compares place, then radius, then kind, so that it does not depend on the order in
//! which a scene lists them.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::vector::Point;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Can be grasped and carried; does not block.
    Food,
    /// Blocks arms and payloads.
    Obstacle,
}

/// Identity of an object, from 1 upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// A circle in the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Object {
    /// Identity.
    pub id: ObjectId,
    /// Food or obstacle.
    pub kind: Kind,
    /// Centre, px.
    pub position: Point,
    /// Radius, px, above 0.
    pub radius: f64,
    /// What the food is worth to the allocation of arms; 1 when nothing is said.
    pub reward: f64,
}

/// A circle an arm must not enter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Centre, px.
    pub centre: Point,
    /// Radius, px.
    pub radius: f64,
    /// First segment for which it counts: 0 for obstacles, 1 for the arm's own body.
    pub first_segment: usize,
}

/// Why an object was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ObjectError {
    /// A coordinate, radius or reward is not finite, or the radius is not above 0.
    Shape,
    /// No room for another object.
    Full,
    /// No object has this id.
    Unknown(ObjectId),
}

impl core::fmt::Display for ObjectError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Shape => f.write_str("an object needs finite coordinates and a radius above 0"),
            Self::Full => f.write_str("no room for another object"),
            Self::Unknown(id) => write!(f, "no object has the id {}", id.0),
        }
    }
}

impl core::error::Error for ObjectError {}

/// The objects of a scene in the order of their insertion.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectStore {
    objects: Vec<Object>,
    capacity: usize,
    next_id: u32,
    /// Obstacles in insertion order.
    obstacles: Vec<Disc>,
    /// Obstacles in canonical order.
    canonical_obstacles: Vec<Disc>,
    /// Changes so far of anything an arm can sense.
    revision: u64,
    /// Changes so far of the obstacles.
    obstacle_revision: u64,
}

impl ObjectStore {
    /// An empty store with room for `capacity` objects.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            objects: Vec::with_capacity(capacity),
            capacity,
            next_id: 1,
            obstacles: Vec::with_capacity(capacity),
            canonical_obstacles: Vec::with_capacity(capacity),
            revision: 0,
            obstacle_revision: 0,
        }
    }

    /// Adds an object under the next free id.
    ///
    /// # Errors
    /// [`ObjectError::Shape`] and [`ObjectError::Full`].
    pub fn add(
        &mut self,
        kind: Kind,
        position: Point,
        radius: f64,
        reward: f64,
    ) -> Result<ObjectId, ObjectError> {
        if !(position.is_finite() && radius.is_finite() && radius > 0.0 && reward.is_finite()) {
            return Err(ObjectError::Shape);
        }
        if self.objects.len() == self.capacity {
            return Err(ObjectError::Full);
        }
        let id = ObjectId(self.next_id);
        self.next_id += 1;
        self.objects.push(Object { id, kind, position, radius, reward });
        self.changed(kind);
        Ok(id)
    }

    /// Puts back a stored object under its old id; ids must come in growing order.
    pub(crate) fn restore(&mut self, object: Object) -> Result<(), ObjectError> {
        let next = self.next_id;
        if object.id.0 < next {
            return Err(ObjectError::Unknown(object.id));
        }
        self.next_id = object.id.0;
        let added = self.add(object.kind, object.position, object.radius, object.reward);
        if added.is_err() {
            self.next_id = next;
        }
        added.map(|_| ())
    }

    pub(crate) fn set_next_id(&mut self, next: u32) {
        self.next_id = self.next_id.max(next);
    }

    /// The id the next object will get.
    pub const fn next_id(&self) -> u32 {
        self.next_id
    }

    /// Moves an object.
    ///
    /// # Errors
    /// [`ObjectError::Shape`] and [`ObjectError::Unknown`].
    pub fn relocate(&mut self, id: ObjectId, position: Point) -> Result<(), ObjectError> {
        if !position.is_finite() {
            return Err(ObjectError::Shape);
        }
        let index = self.index_of(id).ok_or(ObjectError::Unknown(id))?;
        self.objects[index].position = position;
        let kind = self.objects[index].kind;
        self.changed(kind);
        Ok(())
    }

    /// Takes an object out.
    ///
    /// # Errors
    /// [`ObjectError::Unknown`].
    pub fn remove(&mut self, id: ObjectId) -> Result<Object, ObjectError> {
        let index = self.index_of(id).ok_or(ObjectError::Unknown(id))?;
        let object = self.objects.remove(index);
        self.changed(object.kind);
        Ok(object)
    }

    /// Moves carried food; cheaper than [`Self::relocate`] because obstacles stay.
    pub(crate) fn carry(&mut self, id: ObjectId, position: Point) {
        if let Some(index) = self.index_of(id) {
            self.objects[index].position = position;
            self.revision += 1;
        }
    }

    fn changed(&mut self, kind: Kind) {
        self.revision += 1;
        if kind == Kind::Food {
            return;
        }
        self.obstacle_revision += 1;
        self.obstacles.clear();
        let discs = self.objects.iter().filter(|o| o.kind == Kind::Obstacle);
        self.obstacles.extend(discs.map(|o| Disc {
            centre: o.position,
            radius: o.radius,
            first_segment: 0,
        }));
        self.canonical_obstacles.clear();
        self.canonical_obstacles.extend_from_slice(&self.obstacles);
        self.canonical_obstacles.sort_unstable_by(compare_discs);
    }

    /// The object with this id.
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.index_of(id).map(|index| &self.objects[index])
    }

    fn index_of(&self, id: ObjectId) -> Option<usize> {
        // Ids grow with the insertion, so the list is sorted by id.
        self.objects.binary_search_by_key(&id, |o| o.id).ok()
    }

    /// The last inserted object whose circle holds the point.
    pub fn pick(&self, point: Point) -> Option<&Object> {
        let holds = |o: &&Object| o.position.distance(point) <= o.radius;
        self.objects.iter().rev().find(holds)
    }

    /// All objects in insertion order.
    pub fn all(&self) -> &[Object] {
        &self.objects
    }

    /// Obstacles in insertion order.
    pub fn obstacles(&self) -> &[Disc] {
        &self.obstacles
    }

    /// Obstacles in canonical order.
    pub fn canonical_obstacles(&self) -> &[Disc] {
        &self.canonical_obstacles
    }

    /// Changes so far of anything an arm can sense.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Changes so far of the obstacles.
    pub const fn obstacle_revision(&self) -> u64 {
        self.obstacle_revision
    }

    /// Objects there is room for.
    pub const fn capacity(&self) -> usize {
        self.capacity
    }
}

/// Canonical order of discs: x, then y, then radius.
pub(crate) fn compare_discs(a: &Disc, b: &Disc) -> Ordering {
    let by_x = a.centre.x.total_cmp(&b.centre.x);
    by_x.then(a.centre.y.total_cmp(&b.centre.y))
        .then(a.radius.total_cmp(&b.radius))
        .then(a.first_segment.cmp(&b.first_segment))
}

/// Canonical order of objects: x, then y, then radius, then kind; the id only between equals.
pub(crate) fn compare_objects(a: &Object, b: &Object) -> Ordering {
    let by_x = a.position.x.total_cmp(&b.position.x);
    by_x.then(a.position.y.total_cmp(&b.position.y))
        .then(a.radius.total_cmp(&b.radius))
        .then(a.reward.total_cmp(&b.reward))
        .then(a.kind.cmp(&b.kind))
        .then(a.id.cmp(&b.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_ids_are_never_used_twice() {
        let mut store = ObjectStore::with_capacity(4);
        let a = store.add(Kind::Food, Point::new(0.0, 0.0), 5.0, 1.0).unwrap();
        store.remove(a).unwrap();
        let b = store.add(Kind::Food, Point::new(0.0, 0.0), 5.0, 1.0).unwrap();
        assert_eq!((a, b), (ObjectId(1), ObjectId(2)));
        assert_eq!(store.remove(a), Err(ObjectError::Unknown(a)));
    }

    #[test]
    fn unit_a_full_store_and_a_bad_shape_are_refused() {
        let mut store = ObjectStore::with_capacity(1);
        let at = Point::new(1.0, 1.0);
        assert_eq!(store.add(Kind::Food, at, 0.0, 1.0), Err(ObjectError::Shape));
        assert_eq!(store.add(Kind::Food, at, f64::INFINITY, 1.0), Err(ObjectError::Shape));
        let capacity = store.capacity();
        for _ in 0..capacity {
            store.add(Kind::Food, at, 1.0, 1.0).unwrap();
        }
        assert_eq!(store.add(Kind::Food, at, 1.0, 1.0), Err(ObjectError::Full));
    }

    #[test]
    fn unit_picking_takes_the_last_inserted() {
        let mut store = ObjectStore::with_capacity(4);
        store.add(Kind::Food, Point::new(0.0, 0.0), 5.0, 1.0).unwrap();
        let top = store.add(Kind::Obstacle, Point::new(3.0, 0.0), 5.0, 1.0).unwrap();
        assert_eq!(store.pick(Point::new(2.0, 0.0)).map(|o| o.id), Some(top));
        assert_eq!(store.pick(Point::new(20.0, 0.0)), None);
    }
}
