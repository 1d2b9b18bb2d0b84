//! What an arm is told to do, and what becomes of it when somebody else takes its food.

use crate::objects::ObjectId;
use crate::vector::Point;

/// What a named-food task does when its food is held by another arm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenTaken {
    /// Keeps the assignment, yields, and resumes when the food is let go.
    #[default]
    Wait,
    /// Ends the task; the arm idles.
    Free,
    /// Takes the nearest food that nobody holds or claims; waits when there is none.
    Nearest,
}

impl WhenTaken {
    /// Name in scenario files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Free => "free",
            Self::Nearest => "nearest",
        }
    }
}

/// An arm's assignment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Task {
    /// Nothing.
    #[default]
    None,
    /// Bring the tip, or the held food, to a place; food met on the way may be grasped.
    Place(Point),
    /// Fetch this food wherever it goes, and no other.
    Food(ObjectId, WhenTaken),
}

impl Task {
    /// The food a named-food task is about.
    pub const fn food(&self) -> Option<ObjectId> {
        match self {
            Self::Food(id, _) => Some(*id),
            _ => None,
        }
    }
}
