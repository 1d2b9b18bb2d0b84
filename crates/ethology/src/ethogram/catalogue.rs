//! The list of behaviours an ethogram distinguishes.

use core::fmt;

use serde::Serialize;

/// Most behaviours of one catalogue: codes are bytes.
const BEHAVIOURS_MAX: usize = 256;

/// Whether a behaviour lasts or happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BehaviourKind {
    /// It lasts; at any tick at most one state of a record is shown.
    State,
    /// It happens at one tick, beside whatever state is shown.
    Point,
}

/// One behaviour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Behaviour {
    /// Name, unique in its catalogue.
    pub name: String,
    /// What an observer must see to call it so.
    pub description: String,
    /// Whether it lasts or happens.
    pub kind: BehaviourKind,
}

impl Behaviour {
    /// A behaviour that lasts.
    pub fn state(name: &str, description: &str) -> Self {
        Self { name: name.into(), description: description.into(), kind: BehaviourKind::State }
    }

    /// A behaviour that happens.
    pub fn point(name: &str, description: &str) -> Self {
        Self { name: name.into(), description: description.into(), kind: BehaviourKind::Point }
    }
}

/// Why a catalogue was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogueError {
    /// No behaviour at all.
    Empty,
    /// More than 256 behaviours.
    TooMany {
        /// Number given.
        count: usize,
    },
    /// A name is empty.
    NoName {
        /// Code of the behaviour.
        code: usize,
    },
    /// Two behaviours share a name.
    Duplicate {
        /// The name.
        name: String,
    },
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a catalogue needs at least one behaviour"),
            Self::TooMany { count } => {
                write!(f, "{count} behaviours are more than {BEHAVIOURS_MAX}")
            }
            Self::NoName { code } => write!(f, "behaviour {code} has no name"),
            Self::Duplicate { name } => write!(f, "two behaviours are called `{name}`"),
        }
    }
}

impl core::error::Error for CatalogueError {}

/// Behaviours by code, with a title such as "controlling module" or "observed behaviour".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Catalogue {
    title: String,
    behaviours: Vec<Behaviour>,
}

impl Catalogue {
    /// A catalogue in which the code of a behaviour is its place.
    ///
    /// # Errors
    /// [`CatalogueError`] for no or too many behaviours and for empty or repeated names.
    pub fn new(title: &str, behaviours: Vec<Behaviour>) -> Result<Self, CatalogueError> {
        if behaviours.is_empty() {
            return Err(CatalogueError::Empty);
        }
        if behaviours.len() > BEHAVIOURS_MAX {
            return Err(CatalogueError::TooMany { count: behaviours.len() });
        }
        for (code, behaviour) in behaviours.iter().enumerate() {
            if behaviour.name.is_empty() {
                return Err(CatalogueError::NoName { code });
            }
            if behaviours[..code].iter().any(|other| other.name == behaviour.name) {
                return Err(CatalogueError::Duplicate { name: behaviour.name.clone() });
            }
        }
        Ok(Self { title: title.into(), behaviours })
    }

    /// A catalogue of states without descriptions.
    ///
    /// # Errors
    /// As for [`Catalogue::new`].
    pub fn of_states(title: &str, names: &[&str]) -> Result<Self, CatalogueError> {
        Self::new(title, names.iter().map(|name| Behaviour::state(name, "")).collect())
    }

    /// What the catalogue distinguishes.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Behaviours by code.
    pub fn behaviours(&self) -> &[Behaviour] {
        &self.behaviours
    }

    /// Name of a code; `?` for a code outside the catalogue.
    pub fn name(&self, code: u8) -> &str {
        self.behaviours.get(usize::from(code)).map_or("?", |behaviour| &behaviour.name)
    }

    /// Whether a code is in the catalogue and of this kind.
    pub fn is(&self, code: u8, kind: BehaviourKind) -> bool {
        self.behaviours.get(usize::from(code)).is_some_and(|behaviour| behaviour.kind == kind)
    }

    /// Codes and behaviours of one kind.
    pub fn of_kind(&self, kind: BehaviourKind) -> impl Iterator<Item = (u8, &Behaviour)> {
        (0..=u8::MAX).zip(&self.behaviours).filter(move |(_, behaviour)| behaviour.kind == kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_catalogues_refuse_what_cannot_be_told_apart() {
        let refused = |names: &[&str]| Catalogue::of_states("t", names).unwrap_err();
        assert_eq!(refused(&[]), CatalogueError::Empty);
        assert_eq!(refused(&["a", ""]), CatalogueError::NoName { code: 1 });
        assert_eq!(refused(&["a", "b", "a"]), CatalogueError::Duplicate { name: "a".into() });
        let names: Vec<String> = (0..257).map(|n| n.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(refused(&names), CatalogueError::TooMany { count: 257 });
        assert_eq!(Catalogue::of_states("t", &names[..256]).unwrap().name(255), "255");
    }

    #[test]
    fn unit_state_and_point_codes_are_told_apart() {
        let list = vec![Behaviour::state("rest", ""), Behaviour::point("bump", "")];
        let catalogue = Catalogue::new("t", list).unwrap();
        assert!(catalogue.is(0, BehaviourKind::State) && !catalogue.is(1, BehaviourKind::State));
        assert!(!catalogue.is(2, BehaviourKind::Point));
        let points: Vec<u8> = catalogue.of_kind(BehaviourKind::Point).map(|p| p.0).collect();
        assert_eq!((points, catalogue.name(9)), (vec![1], "?"));
    }
}
