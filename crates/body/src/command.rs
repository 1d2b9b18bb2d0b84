//! What a mind wants its actuators to do.

use crate::MAX_ACTUATORS;

/// Targets for the actuator channels; a channel that is not written keeps its value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    targets: [f32; MAX_ACTUATORS],
    written: u16,
}

impl Command {
    /// A command that writes nothing.
    pub const fn new() -> Self {
        Self { targets: [0.0; MAX_ACTUATORS], written: 0 }
    }

    /// Wants this channel at this value. Values that are not finite are kept as they are: the
    /// actuator bank refuses them and the channel holds.
    #[inline]
    pub const fn write(&mut self, channel: usize, target: f32) {
        if channel < MAX_ACTUATORS {
            self.targets[channel] = target;
            self.written |= 1 << channel;
        }
    }

    /// The wanted value of a channel, if one was written.
    #[inline]
    pub const fn target(&self, channel: usize) -> Option<f32> {
        if channel < MAX_ACTUATORS && self.written & (1 << channel) != 0 {
            Some(self.targets[channel])
        } else {
            None
        }
    }

    /// Channels that were written, as bits.
    #[inline]
    pub(crate) const fn written(&self) -> u16 {
        self.written
    }

    /// Targets of all channels; those that were not written are old.
    #[inline]
    pub(crate) const fn targets(&self) -> &[f32; MAX_ACTUATORS] {
        &self.targets
    }

    /// Takes all wishes back.
    #[inline]
    pub const fn clear(&mut self) {
        self.written = 0;
    }

    /// Adds the command to a hash: which channels were written, and to what.
    pub fn hash_into(&self, hash: &mut tropism_core::StateHash) {
        hash.word(u64::from(self.written));
        for channel in 0..MAX_ACTUATORS {
            if let Some(target) = self.target(channel) {
                hash.float(target);
            }
        }
    }
}
