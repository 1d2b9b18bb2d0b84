//! Stops the wheels when commands stop coming.
//!
//! Terms: *silence* is a tick in which nobody wrote a wheel.
//!
//! What it does not do: it judges no command that comes.

use tropism_body::{Command, Controller, Observer, Percept};
use tropism_core::TimeStep;

use crate::course::Channels;

tropism_core::parameters! {
    /// Numbers of the watchdog.
    pub struct WatchdogParameters {
        /// Silence after which both wheels are set to 0 at every tick; 0 switches the watchdog off.
        timeout: "s", 0.0..=10.0, 0.25, "choice: the shortest time asked for in the field";
    }
}

/// Watches the wheel commands of a source.
///
/// # Example
/// ```
/// use tropism_body::Command;
/// use tropism_core::TimeStep;
/// use tropism_reactive::course::{Channels, course_robot};
/// use tropism_reactive::watchdog::{Watchdog, WatchdogParameters};
/// let channels = Channels::of(&course_robot())?;
/// let step = TimeStep::new(1, 4)?;
/// let mut dog = Watchdog::new(channels, step, WatchdogParameters { timeout: 0.5 });
/// let mut silence = Command::new();
/// dog.watch(&mut silence);
/// assert_eq!(silence.target(0), None);
/// dog.watch(&mut silence);
/// assert_eq!(silence.target(0), Some(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Watchdog {
    channels: Channels,
    timeout_ticks: u64,
    silent_ticks: u64,
}

impl Watchdog {
    /// A watchdog that has just heard a command.
    pub fn new(channels: Channels, step: TimeStep, parameters: WatchdogParameters) -> Self {
        let timeout_ticks = step.ticks_in(f64::from(parameters.timeout));
        Self { channels, timeout_ticks, silent_ticks: 0 }
    }

    /// Looks at the command of a tick; writes zeros while the silence lasts too long.
    pub fn watch(&mut self, command: &mut Command) {
        let is_written = |c: u8| command.target(usize::from(c)).is_some_and(f32::is_finite);
        if self.channels.wheels().into_iter().all(is_written) {
            self.silent_ticks = 0;
            return;
        }
        self.silent_ticks += 1;
        if self.is_barking() {
            self.channels.drive(command, 0.0, 0.0);
        }
    }

    /// True while it holds the wheels at rest.
    pub const fn is_barking(&self) -> bool {
        self.timeout_ticks > 0 && self.silent_ticks >= self.timeout_ticks
    }
}

/// A controller behind a watchdog.
#[derive(Clone, Copy, Debug)]
pub struct Watched<C> {
    /// The controller.
    pub mind: C,
    /// Its watchdog.
    pub watchdog: Watchdog,
}

impl<C: Controller> Controller for Watched<C> {
    #[inline]
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        self.mind.step(percept, command);
        self.watchdog.watch(command);
    }

    fn modules(&self) -> &'static [&'static str] {
        self.mind.modules()
    }

    fn controlling_module(&self) -> usize {
        self.mind.controlling_module()
    }

    fn observe(&self, observer: &mut dyn Observer) {
        self.mind.observe(observer);
        observer.value("watchdog", None, f64::from(u8::from(self.watchdog.is_barking())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::course_robot;
    use tropism_body::ActuatorBank;
    use tropism_core::Tick;

    fn run(timeout: f32, silent_from: u64, ticks: u64) -> (Option<u64>, f32) {
        let step = TimeStep::new(1, 100).unwrap();
        let body = course_robot();
        let channels = Channels::of(&body).unwrap();
        let mut dog = Watchdog::new(channels, step, WatchdogParameters { timeout });
        let mut bank = ActuatorBank::new(&body, step);
        let mut stopped = None;
        for t in 0..ticks {
            let mut command = Command::new();
            if t < silent_from {
                channels.drive(&mut command, 1.0, 1.0);
            }
            dog.watch(&mut command);
            bank.apply(&command, Tick(t));
            if stopped.is_none() && bank.value(0) == 0.0 {
                stopped = Some(t);
            }
        }
        (stopped, bank.value(0))
    }

    #[test]
    fn unit_fsm_03_silence_at_full_speed_is_stopped_within_a_quarter_of_a_second() {
        let (stopped, _) = run(0.25, 100, 200);
        let stopped = stopped.unwrap();
        assert!((100..=125).contains(&stopped), "{stopped}");
    }

    #[test]
    fn unit_fsm_04_zeros_are_written_at_every_tick_and_a_timeout_of_zero_is_off() {
        assert_eq!(run(0.25, 100, 400).1, 0.0);
        assert_eq!(run(0.0, 100, 1_000), (None, 1.0));
    }

    #[test]
    fn unit_fsm_03_a_command_that_is_no_number_counts_as_silence() {
        let step = TimeStep::new(1, 100).unwrap();
        let channels = Channels::of(&course_robot()).unwrap();
        let mut dog = Watchdog::new(channels, step, WatchdogParameters { timeout: 0.02 });
        let mut command = Command::new();
        for _ in 0..3 {
            command.clear();
            channels.drive(&mut command, f32::NAN, 1.0);
            dog.watch(&mut command);
        }
        assert_eq!((command.target(0), command.target(1)), (Some(0.0), Some(0.0)));
    }
}
