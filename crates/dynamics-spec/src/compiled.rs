//! A compiled network: the flat table, the names of its slots, and what the checks found.

use crate::diagnostic::{Diagnostic, Severity};
use crate::spec::Spec;
use tropism_dynamics::{Header, Instruction, Network, Parts, Real, Storage, Table};
use tropism_wire::NetworkError;

/// A named slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Layer index; the number of layers for a mode.
    pub layer: usize,
    /// Name within the layer, `rays[3]` for an element of a row.
    pub name: String,
    /// Slot in value memory.
    pub slot: u16,
    /// Unit as written.
    pub unit: String,
}

/// A user and its behaviour, in the order of the table's user records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserName {
    /// Index of the behaviour it uses.
    pub behaviour: usize,
    /// Name of the behaviour above or of the mode.
    pub name: String,
}

/// A target, in the order of the table's target records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetName {
    /// Index of the behaviour.
    pub behaviour: usize,
    /// Index of the actuator.
    pub actuator: usize,
}

/// Names in the order of the table's records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Layers from the bottom up.
    pub layers: Vec<String>,
    /// Readings.
    pub readings: Vec<Channel>,
    /// Device channel of each reading.
    pub reading_hardware: Vec<String>,
    /// Mode inputs.
    pub modes: Vec<Channel>,
    /// Percepts.
    pub percepts: Vec<Channel>,
    /// Behaviours; the slot holds the activation.
    pub behaviours: Vec<Channel>,
    /// Users.
    pub users: Vec<UserName>,
    /// Targets.
    pub targets: Vec<TargetName>,
    /// Actuators.
    pub actuators: Vec<Channel>,
    /// Device channel of each actuator, if it has one.
    pub actuator_hardware: Vec<Option<String>>,
}

/// How hard an actuator can be pulled.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Index of the actuator.
    pub actuator: usize,
    /// Largest W·dt by interval arithmetic.
    pub pull: f64,
}

/// A network ready to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    /// Counts and choices.
    pub header: Header,
    /// Record words.
    pub records: Vec<u16>,
    /// Expressions.
    pub code: Vec<Instruction>,
    /// Initial value memory in double precision.
    pub image: Vec<f64>,
    /// Names of everything.
    pub names: Names,
    /// Largest pull of every actuator.
    pub bounds: Vec<Bound>,
    /// Warnings and notes.
    pub findings: Vec<Diagnostic>,
    /// What it was compiled from.
    pub spec: Spec,
}

/// Storage on the heap.
#[derive(Clone, Debug)]
pub struct Owned<R> {
    records: Vec<u16>,
    code: Vec<Instruction>,
    image: Vec<R>,
    values: Vec<R>,
    marks: Vec<u32>,
}

impl<R: Real> Storage<R> for Owned<R> {
    fn parts(&mut self) -> Parts<'_, R> {
        Parts {
            records: &self.records,
            code: &self.code,
            image: &self.image,
            values: &mut self.values,
            marks: &mut self.marks,
        }
    }

    fn records(&self) -> &[u16] {
        &self.records
    }

    fn values(&self) -> &[R] {
        &self.values
    }

    fn marks(&self) -> &[u32] {
        &self.marks
    }
}

/// A network whose storage is on the heap.
pub type OwnedNetwork<R> = Network<R, Owned<R>>;

impl Compiled {
    /// A network at tick 0 in this precision.
    ///
    /// # Panics
    /// Never: what the compiler makes passes the runtime's verification, and the compiler checks
    /// that before it hands a network out.
    pub fn network<R: Real>(&self) -> OwnedNetwork<R> {
        let image: Vec<R> = self.image.iter().map(|v| R::of(*v)).collect();
        let marks = usize::from(self.header.readings) + usize::from(self.header.percepts);
        let storage = Owned {
            records: self.records.clone(),
            code: self.code.clone(),
            values: image.clone(),
            image,
            marks: vec![0; marks],
        };
        Network::new(self.header, storage).expect("compiled tables are verified")
    }

    /// The network in bytes, for firmware.
    ///
    /// # Panics
    /// Never: the buffer grows until the bytes fit.
    pub fn blob(&self) -> Vec<u8> {
        let table = Table::trusted(self.header, &self.records, &self.code, &self.image);
        let mut bytes = vec![0; 1024];
        loop {
            match tropism_wire::write_network(&table, &mut bytes) {
                Ok(length) => {
                    bytes.truncate(length);
                    return bytes;
                }
                Err(NetworkError::Buffer { needed, .. }) => {
                    bytes.resize(needed.max(bytes.len() * 2), 0);
                }
                Err(other) => unreachable!("writing fails for want of room alone: {other}"),
            }
        }
    }

    /// Warnings, without the notes.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings.iter().filter(|d| d.severity == Severity::Warning)
    }

    /// Slot of `layer.name`, looked up among percepts, actuators, behaviours and readings in that
    /// order.
    pub fn slot(&self, full: &str) -> Option<u16> {
        let (layer, name) = full.split_once('.')?;
        let layer = self.names.layers.iter().position(|l| l == layer)?;
        let names = &self.names;
        [&names.percepts, &names.actuators, &names.behaviours, &names.readings]
            .into_iter()
            .flatten()
            .find(|c| c.layer == layer && c.name == name)
            .map(|c| c.slot)
    }

    /// Index of a reading by the name of its device channel.
    pub fn reading(&self, hardware: &str) -> Option<usize> {
        self.names.reading_hardware.iter().position(|h| h == hardware)
    }

    /// Slot of the actuator wired to a device channel.
    pub fn actuator(&self, hardware: &str) -> Option<u16> {
        let wired = |h: &Option<String>| h.as_deref() == Some(hardware);
        let at = self.names.actuator_hardware.iter().position(wired)?;
        Some(self.names.actuators[at].slot)
    }
}
