//! Why a world was refused.

use alloc::vec::Vec;
use tropism_body::BodyError;
use tropism_core::{Name, TimeStep};

/// Why a world could not be built.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WorldError {
    /// The physics step does not fit into the control step a whole number of times.
    SubStep {
        /// Control step.
        control: TimeStep,
        /// Physics step.
        physics: TimeStep,
    },
    /// The room has no inside.
    Room,
    /// A segment, polygon or disc of the room is degenerate or not finite.
    Shape(&'static str, usize),
    /// A station, light, field, tape or beacon has a value outside its range.
    Part(&'static str, usize),
    /// More parts of a kind than fit.
    TooMany(&'static str, usize),
    /// A timed event refers to something that is not there or has no finite time.
    Event(usize),
    /// A robot's body is unsound.
    Body(Name, BodyError),
    /// A robot's plan refers to a channel that is not there.
    Channel(Name, &'static str),
    /// A robot's sensor models do not match its sensor channels one by one.
    SensorCount(Name),
    /// A number of a robot's plan lies outside its range.
    Plan(Name, &'static str),
    /// A robot can cross more than its own radius in one physics step.
    TooFast(Name),
    /// Robots that found no free place to start.
    Overlap(Vec<Name>),
}

impl core::fmt::Display for WorldError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::SubStep { control, physics } => write!(
                f,
                "the physics step {}/{} s does not fit into the control step {}/{} s a whole \
                 number of times",
                physics.numerator(),
                physics.denominator(),
                control.numerator(),
                control.denominator()
            ),
            Self::Room => {
                f.write_str("the room's lower left corner must lie below its upper right")
            }
            Self::Shape(kind, i) => write!(f, "{kind} {i} of the room has no proper shape"),
            Self::Part(kind, i) => write!(f, "{kind} {i} has a value outside its range"),
            Self::TooMany(kind, most) => write!(f, "a world has at most {most} {kind}"),
            Self::Event(i) => {
                write!(f, "timed event {i} needs a finite time and something that exists")
            }
            Self::Body(name, error) => write!(f, "robot `{name}`: {error}"),
            Self::Channel(name, part) => {
                write!(f, "robot `{name}`: {part} refers to an actuator that is not there")
            }
            Self::SensorCount(name) => {
                write!(f, "robot `{name}`: one sensor model is needed for every sensor channel")
            }
            Self::Plan(name, part) => {
                write!(f, "robot `{name}`: {part} has a value outside its range")
            }
            Self::TooFast(name) => write!(
                f,
                "robot `{name}` can cross more than its radius in one physics step; shorten it"
            ),
            Self::Overlap(names) => {
                f.write_str("no free place to start for")?;
                for (i, name) in names.iter().enumerate() {
                    write!(f, "{} `{name}`", if i == 0 { "" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}

impl core::error::Error for WorldError {}

/// Why a stored state was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// It does not start with the mark of a world state.
    Foreign,
    /// A version this program does not read.
    Version(u16),
    /// Shorter or longer than it says.
    Length,
    /// The check sum does not match.
    Corrupt,
    /// A value that no world can have.
    Value,
    /// Taken from another world or seed.
    OtherWorld,
}

impl core::fmt::Display for StateError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Foreign => f.write_str("this is no world state"),
            Self::Version(v) => write!(f, "world state version {v} is not known here"),
            Self::Length => f.write_str("the world state is cut off or too long"),
            Self::Corrupt => f.write_str("the world state is damaged: its check sum differs"),
            Self::Value => f.write_str("the world state holds a value no world can have"),
            Self::OtherWorld => f.write_str("the state belongs to another world or seed"),
        }
    }
}

impl core::error::Error for StateError {}
