//! Exchanging a running network for an edited one.
//!
//! Terms: an *offer* is a new text; it is compiled at once and, when it is sound, takes over at the
//! next whole tick of layer 0. Activations, actuators, percepts and readings with the same layer
//! and name keep their values; new ones start at their initial values.
//!
//! What it does not do: it watches no file; the caller brings the text.

use crate::compile::{Options, compile_text};
use crate::compiled::{Channel, Compiled, OwnedNetwork};
use crate::diagnostic::Refused;
use tropism_dynamics::Real;

/// A network that can be exchanged while it runs.
#[derive(Clone, Debug)]
pub struct Live<R> {
    file: String,
    options: Options,
    text: String,
    compiled: Compiled,
    pending: Option<Compiled>,
    /// The running network.
    pub network: OwnedNetwork<R>,
}

impl<R: Real> Live<R> {
    /// Starts with a text.
    ///
    /// # Errors
    /// [`Refused`] when the text is not sound.
    pub fn new(file: &str, text: &str, options: Options) -> Result<Self, Refused> {
        let compiled = compile_text(file, text, options)?;
        let network = compiled.network();
        let (file, text) = (file.to_owned(), text.to_owned());
        Ok(Self { file, options, text, compiled, pending: None, network })
    }

    /// Offers an edited text; the same text again changes nothing.
    ///
    /// # Errors
    /// [`Refused`] with the reasons; the old network goes on.
    pub fn offer(&mut self, text: &str) -> Result<(), Refused> {
        if text == self.text {
            return Ok(());
        }
        text.clone_into(&mut self.text);
        self.pending = Some(compile_text(&self.file, text, self.options)?);
        Ok(())
    }

    /// True while a sound offer waits for the next tick.
    pub const fn has_offer(&self) -> bool {
        self.pending.is_some()
    }

    /// To be called between two ticks: lets a sound offer take over, and tells whether it did. The
    /// caller then wires readings and actuators anew.
    pub fn take_over(&mut self) -> bool {
        let Some(next) = self.pending.take() else { return false };
        let mut network = next.network();
        carry(&self.compiled, &self.network, &next, &mut network);
        network.resume_at(self.network.now());
        (self.compiled, self.network) = (next, network);
        true
    }

    /// The text last offered, or started with.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The table that runs now.
    pub const fn compiled(&self) -> &Compiled {
        &self.compiled
    }
}

/// Copies the values of all parts that exist in both networks.
fn carry<R: Real>(
    from: &Compiled,
    old: &OwnedNetwork<R>,
    to: &Compiled,
    new: &mut OwnedNetwork<R>,
) {
    let layer = |names: &crate::compiled::Names, c: &Channel| {
        names.layers.get(c.layer).cloned().unwrap_or_default()
    };
    let find = |list: &[Channel], channel: &Channel| {
        let name = layer(&to.names, channel);
        list.iter().position(|c| c.name == channel.name && layer(&from.names, c) == name)
    };
    let (a, b) = (&from.names, &to.names);
    for (old_list, new_list) in [
        (&a.percepts, &b.percepts),
        (&a.behaviours, &b.behaviours),
        (&a.actuators, &b.actuators),
        (&a.readings, &b.readings),
    ] {
        for channel in new_list {
            if let Some(at) = find(old_list, channel) {
                new.set_value(channel.slot, old.value(old_list[at].slot));
            }
        }
    }
    for (index, channel) in b.percepts.iter().enumerate() {
        if find(&a.percepts, channel).is_some_and(|at| old.has_started(at as u16)) {
            new.set_started(index as u16);
        }
    }
    for (index, channel) in b.readings.iter().enumerate() {
        if let Some(at) = find(&a.readings, channel) {
            new.set_age(index as u16, old.age(at as u16));
        }
    }
}
