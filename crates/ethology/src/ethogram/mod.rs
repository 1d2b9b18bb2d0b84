//! Which behaviour was shown when, and what follows from it.
//!
//! Terms: a *state* behaviour lasts, a *point* behaviour happens; a *bout* is one uninterrupted
//! stretch of a state; a bout is *cut* when the record or a gap ended it, so that its full length
//! is unknown; a *transition* leads from a bout to the next one without a gap between them.
//!
//! What it does not do: it does not recognise behaviour. Codes come in, one per tick, from whoever
//! controls (the true module) or whoever watches (an observer).

mod catalogue;
mod durations;
mod record;
mod recorder;
mod side_by_side;
mod stability;
mod tables;
mod transitions;

pub use catalogue::{Behaviour, BehaviourKind, Catalogue, CatalogueError};
pub use durations::{DurationCounts, Durations};
pub use record::{Bout, BudgetRow, Ethogram, PointEvent};
pub use recorder::{CAPACITY, Recorder};
pub use side_by_side::{Segment, SideBySide, SideBySideError, side_by_side};
pub use stability::{Stability, sequential_stability};
pub use transitions::{Diagonal, Transitions};
