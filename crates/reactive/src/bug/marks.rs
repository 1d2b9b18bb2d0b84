//! Hit and leave points.

use crate::plane::Point;

/// Most points of a kind; a run with more hits ends.
pub const MARKS_MAX: usize = 32;

/// A hit or leave point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mark {
    /// Where, in the odometry frame.
    pub at: Point,
    /// Distance to the goal there, m.
    pub goal_m: f32,
}

/// A bounded list of points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marks {
    marks: [Mark; MARKS_MAX],
    len: usize,
}

impl Default for Marks {
    fn default() -> Self {
        Self { marks: [Mark::default(); MARKS_MAX], len: 0 }
    }
}

impl Marks {
    /// The points, oldest first.
    pub fn all(&self) -> &[Mark] {
        &self.marks[..self.len]
    }

    /// Adds a point; false when there is no room.
    pub(super) fn add(&mut self, mark: Mark) -> bool {
        if self.len == MARKS_MAX {
            return false;
        }
        self.marks[self.len] = mark;
        self.len += 1;
        true
    }

    /// Takes the last point back.
    pub(super) const fn drop_last(&mut self) {
        self.len = self.len.saturating_sub(1);
    }

    /// The last point.
    pub fn last(&self) -> Option<Mark> {
        self.all().last().copied()
    }
}
