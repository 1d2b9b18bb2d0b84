//! One line of a CARMEN log.
//!
//! Layout, fields apart by blanks:
//! - `FLASER n r… x y θ odom_x odom_y odom_θ time host time`
//! - `ROBOTLASER1 type start fov resolution max accuracy mode n r… m i… laser_pose robot_pose
//!   tv rv forward_safety side_safety turn_axis time host time`
//! - `ODOM x y θ tv rv acceleration time host time`
//!
//! What it does not do: the laser pose and corrected poses are not read, only odometry.

use tropism_core::math::f64 as math;

use super::carmen::{Beyond, RANGE_M_MAX, SECTORS, SectorRule};
use super::row::Cell;

/// Most beams of a scan; a larger number is a damaged line.
const BEAMS_MAX: usize = 10_000;

/// A laser message with the odometry it was taken at.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Scan {
    pub(super) line: u64,
    pub(super) time_s: f64,
    ranges_m: Vec<f32>,
    x_m: f64,
    y_m: f64,
    heading_rad: f64,
    /// Mean forward speed and turn rate that odometry messages gave since the scan before.
    pub(super) speed_before: Option<(f64, f64)>,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Message<'a> {
    Scan(Scan),
    Odometry { forward_m_s: f64, turn_rad_s: f64 },
    Remark,
    Unknown(&'a str),
    Damaged(&'static str),
}

/// Message names that a log may begin with; used to tell the format.
pub(super) const NAMES: [&str; 14] = [
    "FLASER",
    "RLASER",
    "ROBOTLASER1",
    "ROBOTLASER2",
    "RAWLASER1",
    "RAWLASER2",
    "ODOM",
    "PARAM",
    "SONAR",
    "BUMPER",
    "TRUEPOS",
    "SYNC",
    "NMEAGGA",
    "MARKER",
];

/// Reads a line. A damaged line never fails: a robot that was switched off leaves one.
pub(super) fn message(text: &str) -> Message<'_> {
    if text.trim().is_empty() || text.starts_with('#') {
        return Message::Remark;
    }
    let mut fields = text.split_ascii_whitespace();
    let Some(name) = fields.next() else {
        return Message::Remark;
    };
    let read = match name {
        "FLASER" => flaser(fields),
        "ROBOTLASER1" => robot_laser(fields),
        "ODOM" => odometry(fields),
        "PARAM" => return Message::Remark,
        other => return Message::Unknown(other),
    };
    read.unwrap_or_else(Message::Damaged)
}

type Damage = &'static str;

fn number<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<f64, Damage> {
    let field = fields.next().ok_or("the line ends too early")?;
    field.parse().map_err(|_error: core::num::ParseFloatError| "a field is no number")
}

fn finite<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<f64, Damage> {
    let value = number(fields)?;
    if value.is_finite() { Ok(value) } else { Err("a pose, speed or time is not finite") }
}

fn list<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<Vec<f32>, Damage> {
    let field = fields.next().ok_or("the line ends too early")?;
    let count = field.parse::<usize>().ok().filter(|count| *count <= BEAMS_MAX);
    let count = count.ok_or("the number of beams is no whole number up to 10000")?;
    (0..count).map(|_| number(fields).map(|value| value as f32)).collect()
}

fn finish(ranges_m: Vec<f32>, pose: [f64; 3], time_s: f64) -> Result<Message<'static>, Damage> {
    if ranges_m.is_empty() {
        return Err("a scan without beams");
    }
    let [x_m, y_m, heading_rad] = pose;
    Ok(Message::Scan(Scan { time_s, ranges_m, x_m, y_m, heading_rad, ..Scan::default() }))
}

fn pose<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<[f64; 3], Damage> {
    Ok([finite(fields)?, finite(fields)?, finite(fields)?])
}

fn flaser<'a>(mut fields: impl Iterator<Item = &'a str>) -> Result<Message<'static>, Damage> {
    let ranges_m = list(&mut fields)?;
    let _corrected = pose(&mut fields)?;
    let odometry = pose(&mut fields)?;
    finish(ranges_m, odometry, finite(&mut fields)?)
}

fn robot_laser<'a>(mut fields: impl Iterator<Item = &'a str>) -> Result<Message<'static>, Damage> {
    for _ in 0..7 {
        number(&mut fields)?;
    }
    let ranges_m = list(&mut fields)?;
    let _remissions = list(&mut fields)?;
    let _laser = pose(&mut fields)?;
    let robot = pose(&mut fields)?;
    for _ in 0..5 {
        number(&mut fields)?;
    }
    finish(ranges_m, robot, finite(&mut fields)?)
}

fn odometry<'a>(mut fields: impl Iterator<Item = &'a str>) -> Result<Message<'static>, Damage> {
    let _pose = pose(&mut fields)?;
    let (forward_m_s, turn_rad_s) = (finite(&mut fields)?, finite(&mut fields)?);
    let _acceleration = number(&mut fields)?;
    finite(&mut fields)?;
    Ok(Message::Odometry { forward_m_s, turn_rad_s })
}

impl Scan {
    /// Mean forward speed (m/s) and turn rate (rad/s) to a later scan, over at least `floor_s`.
    pub(super) fn speed_to(&self, to: &Self, floor_s: f64) -> (f64, f64) {
        let dt_s = to.time_s - self.time_s;
        let dt_s = if dt_s > floor_s { dt_s } else { floor_s };
        let turn = wrapped(to.heading_rad - self.heading_rad);
        // The chord of an arc points along the mean heading.
        let mean = self.heading_rad + 0.5 * turn;
        let (dx, dy) = (to.x_m - self.x_m, to.y_m - self.y_m);
        ((dx * math::cos(mean) + dy * math::sin(mean)) / dt_s, turn / dt_s)
    }

    /// Distance (m) and turn (rad, without sign) from this pose to another's.
    pub(super) fn way_to(&self, to: &Self) -> (f64, f64) {
        let way_m = math::hypot(to.x_m - self.x_m, to.y_m - self.y_m);
        (way_m, wrapped(to.heading_rad - self.heading_rad).abs())
    }

    /// One range per sector, from right to left.
    pub(super) fn sectors(&self, rule: SectorRule, beyond: Beyond) -> [Cell; SECTORS] {
        let n = self.ranges_m.len();
        core::array::from_fn(|i| {
            let beams = &self.ranges_m[i * n / SECTORS..(i + 1) * n / SECTORS];
            let is_measured = |range: &f32| range.is_finite() && *range > 0.0;
            let mut valid: Vec<f32> = beams.iter().copied().filter(is_measured).collect();
            valid.sort_by(f32::total_cmp);
            let chosen = match rule {
                SectorRule::Minimum => valid.first(),
                SectorRule::Median => valid.get(valid.len() / 2),
            };
            match chosen {
                None => Cell::Missing,
                Some(range) if *range < RANGE_M_MAX => Cell::Value(*range),
                Some(_) if beyond == Beyond::Saturate => Cell::Value(RANGE_M_MAX),
                Some(_) => Cell::NoEcho,
            }
        })
    }
}

/// An angle in (−π, π].
fn wrapped(angle_rad: f64) -> f64 {
    use core::f64::consts::{PI, TAU};
    let turned = angle_rad.rem_euclid(TAU);
    if turned > PI { turned - TAU } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan_of(text: &str) -> Scan {
        match message(text) {
            Message::Scan(scan) => scan,
            other => panic!("{other:?}"),
        }
    }

    const FLASER: &str = "FLASER 8 1 2 3 4 5 6 7 81.83 9 9 9 1.0 2.0 3.1 100.5 h 100.6";
    const ROBOT: &str = "ROBOTLASER1 0 -1.57 3.14 0.4 81.9 0.01 0 8 1 2 3 4 5 6 7 0 2 5 5 \
                         0 0 0 1.0 2.0 -3.1 0.1 0.2 0 0 0 101.5 h 101.5";

    #[test]
    fn unit_log_01_old_and_new_messages_read_alike() {
        let (old, new) = (scan_of(FLASER), scan_of(ROBOT));
        assert_eq!((old.time_s, new.time_s), (100.5, 101.5));
        assert_eq!(old.ranges_m[..7], new.ranges_m[..7]);
        let (forward, turn) = old.speed_to(&new, 0.1);
        assert!(forward.abs() < 1e-12);
        assert!((turn - 0.083_185_3).abs() < 1e-6, "the short way round: {turn}");
        let sectors = old.sectors(SectorRule::Median, Beyond::Saturate);
        assert_eq!((sectors[0], sectors[7]), (Cell::Value(1.0), Cell::Value(10.0)));
        assert_eq!(old.sectors(SectorRule::Median, Beyond::NoEcho)[7], Cell::NoEcho);
        assert_eq!(new.sectors(SectorRule::Median, Beyond::Saturate)[7], Cell::Missing);
    }

    #[test]
    fn unit_log_01_unknown_and_damaged_lines_are_told_apart() {
        assert_eq!(message("# note"), Message::Remark);
        assert_eq!(message("PARAM robot_width 0.5"), Message::Remark);
        assert_eq!(message("GPS 1 2 3"), Message::Unknown("GPS"));
        for cut in [3, 9, 20, 40] {
            let Message::Damaged(_) = message(FLASER.get(..cut + 6).unwrap()) else {
                panic!("cut at {cut}");
            };
        }
        assert!(matches!(message("FLASER 99999999999 1"), Message::Damaged(_)));
        assert!(matches!(message("ODOM 0 0 nan 0 0 0 1 h 1"), Message::Damaged(_)));
        let odometry = Message::Odometry { forward_m_s: 0.3, turn_rad_s: -0.1 };
        assert_eq!(message("ODOM 0 0 0 0.3 -0.1 0 1 h 1"), odometry);
    }

    #[test]
    fn unit_sector_rules_differ_by_one_near_beam() {
        let mut scan = scan_of(FLASER);
        scan.ranges_m = vec![5.0; 40];
        scan.ranges_m[2] = 1.0;
        scan.ranges_m[3] = f32::NAN;
        let median = scan.sectors(SectorRule::Median, Beyond::Saturate);
        let minimum = scan.sectors(SectorRule::Minimum, Beyond::Saturate);
        assert_eq!((median[0], minimum[0]), (Cell::Value(5.0), Cell::Value(1.0)));
        assert_eq!(median[1..], minimum[1..]);
    }
}
