//! Wiring a network to a body by channel names.
//!
//! The device name of a reading or actuator is the channel's name; element k of a row named `ir` is
//! channel `ir_k`.

use crate::compiled::{Compiled, Owned};
use crate::diagnostic::suggestion;
use tropism_body::BodySpec;
use tropism_core::{FixedList, TimeStep};
use tropism_dynamics::{NetworkMind, Wiring};

/// Why a network does not fit a body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WiringError {
    /// The body has no channel of this name.
    NoChannel {
        /// `sensor` or `actuator`.
        kind: &'static str,
        /// The device name of the network.
        name: String,
        /// " (did you mean …?)" or nothing.
        hint: String,
    },
    /// More channels than a body may have.
    TooMany(&'static str),
    /// No actuator of the network is wired to anything.
    NoActuator,
    /// The network's period is not the body's control period.
    Period {
        /// Period of layer 0.
        network: TimeStep,
        /// Control period.
        body: TimeStep,
    },
}

impl core::fmt::Display for WiringError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NoChannel { kind, name, hint } => {
                write!(f, "the body has no {kind} `{name}`{hint}")
            }
            Self::TooMany(kind) => write!(f, "the network has more {kind}s than a body"),
            Self::NoActuator => f.write_str("no actuator of the network drives the body"),
            Self::Period { network, body } => write!(
                f,
                "the network steps every {}/{} s, the body every {}/{} s",
                network.numerator(),
                network.denominator(),
                body.numerator(),
                body.denominator()
            ),
        }
    }
}

impl core::error::Error for WiringError {}

/// The wiring of a network to a body with this control period; all modes on.
///
/// # Errors
/// [`WiringError`] names the channel that is missing, or the periods that differ.
pub fn wire(compiled: &Compiled, body: &BodySpec, step: TimeStep) -> Result<Wiring, WiringError> {
    if compiled.header.step != step {
        return Err(WiringError::Period { network: compiled.header.step, body: step });
    }
    let mut wiring = Wiring::default();
    let sensors: Vec<&str> = body.sensors.iter().map(|s| s.name.as_str()).collect();
    for hardware in &compiled.names.reading_hardware {
        let channel = channel("sensor", hardware, &sensors)?;
        wiring.sensors.push(channel).map_err(|_full| WiringError::TooMany("sensor"))?;
    }
    let actuators: Vec<&str> = body.actuators.iter().map(|a| a.name.as_str()).collect();
    let names = &compiled.names;
    for (actuator, hardware) in names.actuators.iter().zip(&names.actuator_hardware) {
        let Some(hardware) = hardware else { continue };
        let channel = channel("actuator", hardware, &actuators)?;
        let wire = (actuator.slot, channel);
        wiring.actuators.push(wire).map_err(|_full| WiringError::TooMany("actuator"))?;
    }
    if wiring.actuators.is_empty() {
        return Err(WiringError::NoActuator);
    }
    let modes = vec![1.0; names.modes.len()];
    wiring.modes = FixedList::from_slice(&modes);
    if wiring.modes.len() < modes.len() {
        return Err(WiringError::TooMany("mode"));
    }
    Ok(wiring)
}

fn channel(kind: &'static str, hardware: &str, known: &[&str]) -> Result<u8, WiringError> {
    let name = hardware.replace('[', "_").replace(']', "");
    let found = known.iter().position(|k| *k == name).and_then(|at| u8::try_from(at).ok());
    found.ok_or_else(|| {
        let hint = suggestion(&name, known.iter().copied());
        WiringError::NoChannel { kind, name, hint }
    })
}

/// A network as the mind of a body.
///
/// The names of its behaviours must outlive it, so each call gives their memory to the program for
/// good; a mind is made once per run.
///
/// # Errors
/// See [`wire`].
pub fn mind(
    compiled: &Compiled,
    body: &BodySpec,
    step: TimeStep,
) -> Result<NetworkMind<Owned<f32>>, WiringError> {
    let wiring = wire(compiled, body, step)?;
    let bottom = compiled.names.behaviours.iter().filter(|b| b.layer == 0);
    let names: Vec<&'static str> = bottom.map(|b| &*b.name.clone().leak()).collect();
    Ok(NetworkMind::new(compiled.network(), wiring, names.leak()))
}
