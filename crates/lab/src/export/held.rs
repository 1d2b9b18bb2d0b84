//! Which value of a frame is what of which robot.

use crate::trace::Header;

/// Values a frame begins with, robot by robot.
pub(super) const TRUTH: [&str; 9] = [
    "x_m",
    "y_m",
    "heading_rad",
    "speed_m_s",
    "charge",
    "is_docked",
    "is_charging",
    "behaviour",
    "module",
];

/// Where the values of one robot lie in a frame: truth, sensors, actuators, internal values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RobotLayout {
    /// First value of its truth.
    pub first: usize,
    /// Names of its sensors.
    pub sensors: Vec<String>,
    /// Names of its actuators.
    pub actuators: Vec<String>,
    /// Names of its internal values.
    pub internals: Vec<String>,
}

impl RobotLayout {
    /// Its truth, in the order of the format.
    pub fn truth<'a>(&self, values: &'a [f64]) -> &'a [f64] {
        &values[self.first..self.first + TRUTH.len()]
    }

    /// Its sensors.
    pub fn sensors<'a>(&self, values: &'a [f64]) -> &'a [f64] {
        let start = self.first + TRUTH.len();
        &values[start..start + self.sensors.len()]
    }

    /// Its actuators.
    pub fn actuators<'a>(&self, values: &'a [f64]) -> &'a [f64] {
        let start = self.first + TRUTH.len() + self.sensors.len();
        &values[start..start + self.actuators.len()]
    }

    /// Its internal values.
    pub fn internals<'a>(&self, values: &'a [f64]) -> &'a [f64] {
        let start = self.first + TRUTH.len() + self.sensors.len() + self.actuators.len();
        &values[start..start + self.internals.len()]
    }
}

/// Where the values of all robots lie in a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The robots.
    pub robots: Vec<RobotLayout>,
}

impl Layout {
    /// Reads the names of a header.
    ///
    /// # Errors
    /// The first name that stands where another was expected.
    pub fn of(header: &Header) -> Result<Self, String> {
        Self::of_names(&header.names)
    }

    /// Reads the names of a frame's values.
    ///
    /// # Errors
    /// The first name that stands where another was expected.
    pub fn of_names(names: &[String]) -> Result<Self, String> {
        let mut layout = Self::default();
        let mut at = 0;
        while at < names.len() {
            let prefix = match names[at].split_once('/') {
                Some((robot, _)) => format!("{robot}/"),
                None => String::new(),
            };
            let end = at + names[at..].iter().take_while(|n| is_of(n, &prefix)).count();
            let robot: Vec<&str> = names[at..end].iter().map(|n| &n[prefix.len()..]).collect();
            layout.robots.push(robot_layout(at, &robot)?);
            at = end;
        }
        if layout.robots.is_empty() {
            return Err("it names no values".to_owned());
        }
        Ok(layout)
    }
}

fn is_of(name: &str, prefix: &str) -> bool {
    if prefix.is_empty() { !name.contains('/') } else { name.starts_with(prefix) }
}

fn robot_layout(first: usize, names: &[&str]) -> Result<RobotLayout, String> {
    for (place, expected) in TRUTH.iter().enumerate() {
        let found = names.get(place).copied().unwrap_or("nothing");
        if found != *expected {
            return Err(format!("its value {} is `{found}`, not `{expected}`", first + place));
        }
    }
    let mut rest = names[TRUTH.len()..].iter().peekable();
    let mut take = |prefix: &str| {
        let mut found = Vec::new();
        while let Some(name) = rest.peek().and_then(|name| name.strip_prefix(prefix)) {
            found.push(name.to_owned());
            rest.next();
        }
        found
    };
    // Internal values may begin with the same words; they come last.
    let (sensors, actuators) = (take("sensor_"), take("actuator_"));
    let internals = rest.map(|name| (*name).to_owned()).collect();
    Ok(RobotLayout { first, sensors, actuators, internals })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(prefix: &str, more: &[&str]) -> Vec<String> {
        TRUTH.iter().chain(more).map(|name| format!("{prefix}{name}")).collect()
    }

    #[test]
    fn unit_names_are_taken_apart_robot_by_robot() {
        let mut all =
            names("robot0/", &["sensor_bump", "actuator_wheel", "in_bump", "sensor_code"]);
        all.extend(names("robot1/", &["sensor_light"]));
        let layout = Layout::of_names(&all).unwrap();
        assert_eq!(layout.robots.len(), 2);
        let [first, second] = [&layout.robots[0], &layout.robots[1]];
        assert_eq!(first.sensors, ["bump"]);
        assert_eq!(first.actuators, ["wheel"]);
        assert_eq!(first.internals, ["in_bump", "sensor_code"], "internal values come last");
        assert_eq!(
            (second.first, second.sensors.as_slice()),
            (13, ["light".to_owned()].as_slice())
        );
        let values: Vec<f64> = (0..all.len()).map(|i| i as f64).collect();
        assert_eq!(first.truth(&values)[8], 8.0);
        assert_eq!(first.sensors(&values), [9.0]);
        assert_eq!(first.actuators(&values), [10.0]);
        assert_eq!(first.internals(&values), [11.0, 12.0]);
        assert_eq!(second.sensors(&values), [22.0]);
    }

    #[test]
    fn unit_names_in_another_order_are_refused_with_the_first_that_is_wrong() {
        let mut all = names("", &[]);
        all.swap(1, 2);
        let error = Layout::of_names(&all).unwrap_err();
        assert_eq!(error, "its value 1 is `heading_rad`, not `y_m`");
        assert!(Layout::of_names(&[]).is_err());
        let cut = Layout::of_names(&names("", &[])[..4]).unwrap_err();
        assert_eq!(cut, "its value 4 is `nothing`, not `charge`");
    }
}
