//! What an arm law is: from a pose, a target and the surroundings to the next pose.
//!
//! Both laws stand behind [`ArmLaw`], so that a claim about them is a comparison in one run.
//!
//! What it does not do: a law moves nothing. It proposes a pose; whoever carries food may still
//! refuse it.

use tropism_core::Tick;

use crate::arm::{Arm, Pose};
use crate::grip::Grip;
use crate::objects::Disc;
use crate::reach::ReachLaw;
use crate::reference::ReferenceLaw;
use crate::vector::Point;

/// Which law moves an arm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LawKind {
    /// The local law of the public model, to the letter.
    Reference,
    /// An arm that gets there.
    #[default]
    Reach,
}

/// Food that moves with the arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payload {
    /// How it is attached.
    pub grip: Grip,
    /// Its radius, px.
    pub radius: f64,
    /// Where its centre is to be brought, px.
    pub goal: Point,
}

/// What an arm can know of the world when it moves.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Circles to keep out of.
    pub obstacles: &'a [Disc],
    /// Changes so far of `obstacles`.
    pub obstacle_revision: u64,
    /// Food carried to a goal of its own.
    pub payload: Option<Payload>,
    /// Length of a tick, s.
    pub dt: f64,
    /// This tick.
    pub tick: Tick,
}

/// What a law made of one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Motion {
    /// The proposed pose is to be taken; otherwise the arm stays.
    pub moved: bool,
    /// A movement was refused, or the target cannot be had where it lies.
    pub blocked: bool,
    /// Obstacles redirected the movement.
    pub avoiding: bool,
}

/// A rule that moves one arm towards one point, knowing nothing of the other arms.
pub trait ArmLaw {
    /// Starts afresh from the arm's pose.
    fn reset(&mut self, arm: &Arm);

    /// Makes room for so many obstacles; the only place besides construction that allocates.
    fn reserve(&mut self, segments: usize, obstacles: usize);

    /// A new target was set.
    fn retarget(&mut self);

    /// The target has moved on its own, as carried or drifting food does.
    fn drift(&mut self);

    /// The last proposal was refused for the payload's or another arm's sake.
    fn refused(&mut self);

    /// One tick: writes the next pose into `next` and says what came of it.
    ///
    /// `next` has the arm's number of segments; it is meaningful only when `moved` is true.
    fn propose(
        &mut self,
        arm: &Arm,
        target: Point,
        around: &Surroundings<'_>,
        next: &mut Pose,
    ) -> Motion;

    /// True when the law has found that no pose it may take brings the tip to the target.
    fn finds_unreachable(&self) -> bool;
}

/// One of the two laws, with its state.
#[derive(Debug)]
pub enum Law {
    /// See [`ReferenceLaw`].
    Reference(ReferenceLaw),
    /// See [`ReachLaw`].
    Reach(alloc::boxed::Box<ReachLaw>),
}

impl Law {
    /// A fresh law for this arm.
    pub fn new(kind: LawKind, arm: &Arm, obstacles: usize) -> Self {
        let segments = arm.parameters().segment_count();
        let mut law = match kind {
            LawKind::Reference => Self::Reference(ReferenceLaw::new(arm)),
            LawKind::Reach => Self::Reach(alloc::boxed::Box::new(ReachLaw::new(arm))),
        };
        law.as_dyn().reserve(segments, obstacles);
        law
    }

    /// Which law it is.
    pub const fn kind(&self) -> LawKind {
        match self {
            Self::Reference(_) => LawKind::Reference,
            Self::Reach(_) => LawKind::Reach,
        }
    }

    /// The law behind its trait.
    pub fn as_dyn(&mut self) -> &mut dyn ArmLaw {
        match self {
            Self::Reference(law) => law,
            Self::Reach(law) => law.as_mut(),
        }
    }

    /// See [`ArmLaw::finds_unreachable`].
    pub fn finds_unreachable(&self) -> bool {
        match self {
            Self::Reference(law) => law.finds_unreachable(),
            Self::Reach(law) => law.finds_unreachable(),
        }
    }
}
