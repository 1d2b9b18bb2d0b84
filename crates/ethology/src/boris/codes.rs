//! Behaviour codes that are unique over several catalogues.

use alloc::collections::BTreeMap;

use super::observation::Observation;
use crate::ethogram::{BehaviourKind, Catalogue};

/// One behaviour of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CodeEntry {
    pub(super) code: String,
    pub(super) category: String,
    pub(super) description: String,
    pub(super) kind: BehaviourKind,
}

/// Codes by (title of the catalogue, name of the behaviour).
#[derive(Debug)]
pub(super) struct Codes {
    by_name: BTreeMap<(String, String), String>,
    pub(super) entries: Vec<CodeEntry>,
    pub(super) categories: Vec<String>,
}

impl Codes {
    /// A name used under one title is its own code; under several, the title is put before it.
    pub(super) fn of(observations: &[Observation<'_>]) -> Self {
        let catalogues: Vec<&Catalogue> = observations
            .iter()
            .flat_map(|observation| &observation.tracks)
            .map(|track| track.record.catalogue())
            .collect();
        let mut titles: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for catalogue in &catalogues {
            for behaviour in catalogue.behaviours() {
                let list = titles.entry(&behaviour.name).or_default();
                if !list.contains(&catalogue.title()) {
                    list.push(catalogue.title());
                }
            }
        }
        let mut codes =
            Self { by_name: BTreeMap::new(), entries: Vec::new(), categories: Vec::new() };
        for catalogue in catalogues {
            if !codes.categories.iter().any(|title| title == catalogue.title()) {
                codes.categories.push(catalogue.title().to_owned());
            }
            for behaviour in catalogue.behaviours() {
                let key = (catalogue.title().to_owned(), behaviour.name.clone());
                if codes.by_name.contains_key(&key) {
                    continue;
                }
                let shared = titles[behaviour.name.as_str()].len() > 1;
                let code = if shared { format!("{}: {}", key.0, key.1) } else { key.1.clone() };
                codes.entries.push(CodeEntry {
                    code: code.clone(),
                    category: key.0.clone(),
                    description: behaviour.description.clone(),
                    kind: behaviour.kind,
                });
                codes.by_name.insert(key, code);
            }
        }
        codes
    }

    /// Code of a behaviour of one of the exported catalogues.
    pub(super) fn code(&self, catalogue: &Catalogue, behaviour: u8) -> &str {
        let key = (catalogue.title().to_owned(), catalogue.name(behaviour).to_owned());
        self.by_name.get(&key).map_or("?", String::as_str)
    }
}
