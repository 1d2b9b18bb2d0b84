//! Bug algorithms: to a goal without a map.
//!
//! Terms: a *hit point* is where the way to the goal was blocked; a *leave point* is where a
//! boundary was left for the goal; the *M-line* runs from the start to the goal; a *circuit* is one
//! full round of a boundary. A boundary is *closed* when its follower comes back to a place it has
//! followed, looking the same way.
//!
//! Every run ends: *reached*, *unreachable* (after one full circuit without a way out) or *stuck*
//! with a reason. Time, hits and memory are bounded.
//!
//! What it does not do: it keeps no map; what it remembers of a boundary is [`crate::trail`].

mod boundary;
mod leave;
mod marks;
mod parameters;
mod run;
mod tangent;

pub use marks::{MARKS_MAX, Mark, Marks};
pub use parameters::{BugError, BugParameters};
pub use run::Bug;

/// Which algorithm.
///
/// # Source
/// Lumelsky and Stepanov (1987), Algorithmica 2, 403–430, for Bug1 and Bug2; Kamon, Rimon and
/// Rivlin
/// (1998), IJRR 17, 934–953, for `TangentBug`, whose local tangent graph is reduced here to the end
/// points of the robot's own rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Follows a boundary until the goal's direction is free.
    Bug0,
    /// Rounds every obstacle once and leaves at the point nearest to the goal.
    Bug1,
    /// Leaves a boundary on the M-line, nearer to the goal than the hit point.
    Bug2,
    /// Leaves when a free point in sight is nearer to the goal than the boundary ever was.
    Tangent,
}

/// Why a run ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No goal reading came.
    NoGoal,
    /// No encoder reading came.
    NoOdometry,
    /// It could not get free of a contact.
    Collision,
    /// The same hit point came again: it would go round for ever.
    Loop,
    /// More hits than can be remembered.
    TooManyHits,
    /// The boundary was lost and not found again.
    LostBoundary,
    /// The time limit.
    Time,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BugResult {
    /// Under way.
    #[default]
    Running,
    /// At the goal.
    Reached,
    /// No way leads to the goal.
    Unreachable,
    /// No answer, and why.
    Stuck(Reason),
}

impl BugResult {
    /// 0 running, 1 reached, 2 unreachable, 3 and up the reasons in their order.
    pub const fn code(self) -> u8 {
        match self {
            Self::Running => 0,
            Self::Reached => 1,
            Self::Unreachable => 2,
            Self::Stuck(reason) => 3 + reason as u8,
        }
    }
}

/// What a run is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Straight to the goal, or to a point in sight.
    #[default]
    ToGoal,
    /// Along a boundary.
    Follow,
    /// Back along a boundary to the point nearest to the goal.
    Return,
    /// Turning on the spot to look whether the way is free.
    Face,
    /// Over.
    Done,
}
