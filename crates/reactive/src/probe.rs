//! Percepts made by hand, for tests.

use crate::course::{Channels, course_robot};
use tropism_body::{Command, Controller, Percept, Reading};

/// A percept of the course robot: nothing near, no line, no contact.
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    pub(crate) percept: Percept,
}

impl Probe {
    pub(crate) fn new() -> Self {
        let mut percept = Percept::default();
        for spec in course_robot().sensors.iter() {
            let reading = match spec.name.as_str() {
                name if name.starts_with("ultrasonic") => Reading::NoEcho,
                name if name.starts_with("reflectance") => Reading::Fresh(0.9),
                "goal_range" => Reading::Fresh(5.0),
                _ => Reading::Fresh(0.0),
            };
            let _ = percept.readings.push(reading);
        }
        Self { percept }
    }

    #[expect(clippy::unused_self, reason = "read as a property of the probe")]
    pub(crate) fn channels(&self) -> Channels {
        Channels::of(&course_robot()).unwrap_or_else(|_| unreachable!())
    }

    pub(crate) fn set(mut self, name: &str, reading: Reading) -> Self {
        if let Some(i) = course_robot().sensor(name) {
            self.percept.readings[i] = reading;
        }
        self
    }

    pub(crate) fn ranges(self, left: Option<f32>, front: Option<f32>, right: Option<f32>) -> Self {
        let reading = |d: Option<f32>| d.map_or(Reading::NoEcho, Reading::Fresh);
        self.set("ultrasonic_left", reading(left))
            .set("ultrasonic_front", reading(front))
            .set("ultrasonic_right", reading(right))
    }

    #[expect(clippy::fn_params_excessive_bools, reason = "two sensors, left and right")]
    pub(crate) fn line(self, left: bool, right: bool) -> Self {
        let reading = |on: bool| Reading::Fresh(f32::from(u8::from(on)));
        self.set("line_left", reading(left)).set("line_right", reading(right))
    }

    pub(crate) fn reflectance(self, left: f32, right: f32) -> Self {
        self.set("reflectance_left", Reading::Fresh(left))
            .set("reflectance_right", Reading::Fresh(right))
    }

    pub(crate) fn goal(self, bearing_rad: f32, range_m: f32) -> Self {
        self.set("goal_bearing", Reading::Fresh(bearing_rad))
            .set("goal_range", Reading::Fresh(range_m))
    }

    /// Steps a controller once; gives the wheel commands.
    pub(crate) fn drive(&self, mind: &mut impl Controller) -> (f32, f32) {
        let mut command = Command::new();
        mind.step(&self.percept, &mut command);
        let [left, right] = self.channels().wheels().map(|c| command.target(usize::from(c)));
        (left.unwrap_or(f32::NAN), right.unwrap_or(f32::NAN))
    }
}
