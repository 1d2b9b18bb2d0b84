//! CARMEN laser logs.
//!
//! Terms: a *scan* is one laser message with the odometry pose it was taken at; a *sector* is an
//! eighth of the scan, counted from the right.
//!
//! Read: `FLASER` and `ROBOTLASER1` (front laser), `ODOM`. `PARAM` and comments are passed over,
//! every other message is skipped and counted by name, and a damaged line of a known message is
//! counted with the number of the first. Each scan is one row:
//! - `range_0` (right) … `range_7` (left), m: median or minimum of the sector's valid beams, each
//!   cut at 10 m. Beams that are not finite or not above 0 are left out.
//! - `forward_speed` (m/s), `turn_rate` (rad/s): mean speed from the scan before to the scan after.
//! - `drive`, `turn`: mean speed from this scan to the next, as a share of the body's top speed;
//!   these are the actuator values the mind feels, so that its contingency memory sees what the
//!   robot did beside what it then sensed.
//!
//! Speeds come from the poses of the scans; where `ODOM` lines lie between two scans, the mean of
//! their speeds replaces the pose difference. Differences are taken over at least half a second:
//! real logs hold bursts of scans stamped milliseconds apart that were taken a second apart.
//!
//! Such a stamp is repaired where the poses give it away: if the robot would have had to exceed the
//! body's top speed from a scan to the next, that scan was stamped late, and its time is put
//! between its neighbours' in proportion to the way travelled. Without the repair a whole turn
//! falls into one tick and startles the mind, which is an event of the recorder, not of the robot.
//!
//! What it does not do: no rear laser, no remission values, no corrected poses.

use std::path::Path;

use tropism_body::{ActuatorKind, ActuatorSpec, BodySpec, SensorKind, SensorSpec};
use tropism_core::{FixedList, Name, TimeStep};

use super::alloc::collections::VecDeque;
use super::error::FeedError;
use super::row::{Cell, Lines, Row, RowSource, Tally};
use super::scan::{Message, Scan, message};

/// Number of range channels.
pub const SECTORS: usize = 8;
/// Longest range a channel holds, m.
pub const RANGE_M_MAX: f32 = 10.0;
/// Top forward speed of the body, m/s. The robots of the public logs stay below 0.6 m/s.
pub const FORWARD_M_S_MAX: f32 = 1.0;
/// Top turn rate of the body, rad/s. The robots of the public logs stay below 1.3 rad/s.
pub const TURN_RAD_S_MAX: f32 = 1.5;
/// Exertion per unit of a speed channel. The logs hold no battery, so the modelled drain stands
/// in; at this cost a robot that drives and turns at half speed neither gains nor loses.
const COST: f32 = 0.125;
/// Shortest time over which a speed is taken, s.
const SPEED_WINDOW_S: f64 = 0.5;
/// Largest step back in time that is taken as a late message, s.
const LATE_S: f64 = 1.0;
/// Scans kept for the speed window.
const HISTORY: usize = 8;

/// Range channels from right to left.
const RANGES: [&str; SECTORS] =
    ["range_0", "range_1", "range_2", "range_3", "range_4", "range_5", "range_6", "range_7"];
/// Channels for the odometry, sensors first.
const SPEEDS: [&str; 4] = ["forward_speed", "turn_rate", "drive", "turn"];

/// How the beams of a sector become one range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SectorRule {
    /// The median: one stray beam changes nothing and a doorway shows when half of the sector
    /// looks through it.
    #[default]
    Median,
    /// The minimum: what an ultrasonic cone would report.
    Minimum,
}

/// What a sector says that sees nothing within 10 m.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beyond {
    /// 10 m. A laser that measures nothing has still measured: the way is free. The channel keeps
    /// its salience when it opens and when it closes.
    #[default]
    Saturate,
    /// [`tropism_body::Reading::NoEcho`], as for a sonar that may just have lost its echo; the
    /// channel is silent until the next echo and its opening is no event.
    NoEcho,
}

/// The body for CARMEN logs: eight ranges and two speeds; two actuators, the speeds as shares of
/// ±1 m/s and ±1.5 rad/s.
pub fn carmen_body() -> BodySpec {
    let mut sensors: FixedList<SensorSpec, { tropism_body::MAX_SENSORS }> = FixedList::new();
    for name in RANGES {
        let range = SensorSpec::normalised(name, SensorKind::Range).over(0.0, RANGE_M_MAX);
        let _ = sensors.push(range);
    }
    let [forward, turn, ..] = SPEEDS;
    let _ = sensors.push(
        SensorSpec::normalised(forward, SensorKind::Proprioception)
            .over(-FORWARD_M_S_MAX, FORWARD_M_S_MAX),
    );
    let _ = sensors.push(
        SensorSpec::normalised(turn, SensorKind::Inertial).over(-TURN_RAD_S_MAX, TURN_RAD_S_MAX),
    );
    let actuator = |name| {
        ActuatorSpec::new(name, ActuatorKind::PwmBidirectional, -1.0, 1.0).costing(2.0, COST, 0.0)
    };
    BodySpec {
        name: Name::literal("carmen"),
        sensors,
        actuators: FixedList::from_slice(&[actuator(SPEEDS[2]), actuator(SPEEDS[3])]),
        energy_sensor: None,
    }
}

/// How a CARMEN log is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarmenRules {
    /// How beams become ranges.
    pub sectors: SectorRule,
    /// Ranges that see nothing.
    pub beyond: Beyond,
    /// Stamps that the poses contradict are repaired.
    pub is_clock_repaired: bool,
}

impl Default for CarmenRules {
    fn default() -> Self {
        let (sectors, beyond) = (SectorRule::default(), Beyond::default());
        Self { sectors, beyond, is_clock_repaired: true }
    }
}

/// Rows of a CARMEN log, one per scan.
#[derive(Debug)]
pub struct CarmenSource {
    lines: Lines,
    columns: Vec<String>,
    rules: CarmenRules,
    ticks_per_s: f64,
    origin_s: Option<f64>,
    /// Earlier scans, oldest first.
    past: VecDeque<Scan>,
    /// The scan that is the next row.
    present: Option<Scan>,
    /// The scan after the next row as read, and the last one whose stamp was settled.
    unsettled: Option<Scan>,
    settled: Option<Scan>,
    /// Sum of forward speeds and turn rates of the odometry since the last scan, and their number.
    odometry: (f64, f64, u32),
    tally: Tally,
}

impl CarmenSource {
    /// Opens a log.
    ///
    /// # Errors
    /// [`FeedError`] when the file cannot be read.
    pub fn open(path: &Path, step: TimeStep, rules: CarmenRules) -> Result<Self, FeedError> {
        Ok(Self {
            lines: Lines::open(path)?,
            columns: RANGES.iter().chain(&SPEEDS).map(|name| (*name).into()).collect(),
            rules,
            ticks_per_s: f64::from(step.denominator()) / f64::from(step.numerator()),
            origin_s: None,
            past: VecDeque::with_capacity(HISTORY),
            present: None,
            unsettled: None,
            settled: None,
            odometry: (0.0, 0.0, 0),
            tally: Tally::default(),
        })
    }

    /// The next scan with a settled stamp.
    fn next_scan(&mut self) -> Result<Option<Scan>, FeedError> {
        if self.unsettled.is_none() {
            self.unsettled = self.read_scan()?;
        }
        let Some(mut scan) = self.unsettled.take() else {
            return Ok(None);
        };
        self.unsettled = self.read_scan()?;
        if self.rules.is_clock_repaired
            && let (Some(before), Some(after)) = (&self.settled, &self.unsettled)
            && let Some(time_s) = repaired_s(before, &scan, after)
        {
            scan.time_s = time_s;
            self.tally.restamped += 1;
            self.tally.first_restamped.get_or_insert(scan.line);
        }
        self.settled = Some(scan.clone());
        Ok(Some(scan))
    }

    fn read_scan(&mut self) -> Result<Option<Scan>, FeedError> {
        loop {
            let Some((line, text)) = self.lines.next_line()? else {
                return Ok(None);
            };
            self.tally.lines = line;
            match message(text) {
                Message::Remark => self.tally.comments += 1,
                Message::Unknown(name) => self.tally.skip(name),
                Message::Damaged(problem) => self.tally.damage(line, problem),
                Message::Odometry { forward_m_s, turn_rad_s } => {
                    let (forward, turn, count) = self.odometry;
                    self.odometry = (forward + forward_m_s, turn + turn_rad_s, count + 1);
                }
                Message::Scan(mut scan) => {
                    let (forward, turn, count) = core::mem::take(&mut self.odometry);
                    if count > 0 {
                        let n = f64::from(count);
                        scan.speed_before = Some((forward / n, turn / n));
                    }
                    scan.line = line;
                    return Ok(Some(scan));
                }
            }
        }
    }

    /// Mean speeds from an earlier to a later scan, looking further back where the two are too
    /// close in time.
    fn speed(&self, from: &Scan, to: &Scan) -> (f64, f64) {
        if let Some(speed) = to.speed_before {
            return speed;
        }
        let is_long = |scan: &&Scan| to.time_s - scan.time_s >= SPEED_WINDOW_S;
        let earlier = self.past.iter().rev().filter(|scan| scan.line < from.line);
        let from = core::iter::once(from).chain(earlier).find(is_long).unwrap_or(from);
        from.speed_to(to, SPEED_WINDOW_S)
    }

    fn row(&mut self, scan: &Scan, next: Option<&Scan>) -> Row {
        let before = self.past.back();
        let ahead = next.map(|next| self.speed(scan, next));
        let around = match (before, next) {
            (Some(_), Some(next)) if next.speed_before.is_some() => ahead,
            (Some(before), Some(next)) => Some(self.speed(before, next)),
            (Some(before), None) => Some(self.speed(before, scan)),
            (None, _) => ahead,
        };
        let around = around.unwrap_or_default();
        let (drive, turn) = ahead.unwrap_or_default();
        let origin_s = *self.origin_s.get_or_insert(scan.time_s);
        let mut cells: Vec<Cell> = scan.sectors(self.rules.sectors, self.rules.beyond).to_vec();
        let shares = [drive / f64::from(FORWARD_M_S_MAX), turn / f64::from(TURN_RAD_S_MAX)];
        cells.extend([around.0, around.1].map(|speed| Cell::Value(speed as f32)));
        cells.extend(shares.map(|share| Cell::Value(share as f32)));
        self.tally.rows += 1;
        Row { line: scan.line, ticks: (scan.time_s - origin_s) * self.ticks_per_s, cells }
    }
}

impl RowSource for CarmenSource {
    fn format(&self) -> &'static str {
        "carmen"
    }

    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_row(&mut self) -> Result<Option<Row>, FeedError> {
        if self.present.is_none() {
            self.present = self.next_scan()?;
        }
        let Some(scan) = self.present.take() else {
            return Ok(None);
        };
        let next = self.next_scan()?;
        let is_loop = next.as_ref().is_some_and(|next| scan.time_s - next.time_s > LATE_S);
        let row = self.row(&scan, next.as_ref().filter(|_| !is_loop));
        if is_loop {
            // A log that starts over has no speed across the seam.
            self.past.clear();
        } else {
            if self.past.len() == HISTORY {
                self.past.pop_front();
            }
            self.past.push_back(scan);
        }
        self.present = next;
        Ok(Some(row))
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn bytes_read(&self) -> u64 {
        self.lines.bytes()
    }

    fn late_s_usual(&self) -> f64 {
        LATE_S
    }
}

/// The time of a scan that was stamped too late for the way from it to the next; `None` when the
/// stamps can be true, or cannot be mended.
fn repaired_s(before: &Scan, scan: &Scan, after: &Scan) -> Option<f64> {
    let is_possible = |from: &Scan, to: &Scan| {
        let (way_m, turn_rad) = from.way_to(to);
        let dt_s = to.time_s - from.time_s;
        way_m <= f64::from(FORWARD_M_S_MAX) * dt_s && turn_rad <= f64::from(TURN_RAD_S_MAX) * dt_s
    };
    if is_possible(scan, after) || !is_possible(before, after) {
        return None;
    }
    let effort = |from: &Scan, to: &Scan| {
        let (way_m, turn_rad) = from.way_to(to);
        way_m / f64::from(FORWARD_M_S_MAX) + turn_rad / f64::from(TURN_RAD_S_MAX)
    };
    let (first, second) = (effort(before, scan), effort(scan, after));
    let share = if first + second > 0.0 { first / (first + second) } else { 0.5 };
    Some(before.time_s + share * (after.time_s - before.time_s))
}
