//! What a session keeps of one robot besides the run.

use tropism_body::{Observer, Percept};
use tropism_core::StateHash;
use tropism_lab::Run;
use tropism_lab::script::LogLine;
use tropism_wire::session::{LogEntry, NamedValue};
use tropism_world::drive::DriveSpec;
use tropism_world::odometry::{Odometry, OdometrySpec};
use tropism_world::sensor::{SensorModel, Wheel};
use tropism_world::{RobotPlan, Vec2};

/// Most lines of a log kept between two frames; older ones are dropped.
const LOG_MAX: usize = 200;

/// Dead reckoning by a body's own encoders.
#[derive(Clone, Debug)]
struct Reckoner {
    spec: OdometrySpec,
    channels: [usize; 2],
    /// Where it starts, until the encoders were read.
    origin: (Vec2, f32),
    odometry: Option<Odometry>,
}

/// What a session keeps of one robot.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    /// Life, from 0.
    pub(crate) life: u32,
    /// Ticks of this life.
    pub(crate) ticks: u64,
    reckoner: Option<Reckoner>,
    log: Vec<LogEntry>,
}

impl Keeper {
    pub(crate) fn new(plan: &RobotPlan) -> Self {
        Self { life: 0, ticks: 0, reckoner: reckoner(plan), log: Vec::new() }
    }

    /// Another life: odometry starts where the robot then stands.
    pub(crate) fn begin_life(&mut self, life: u32) {
        (self.life, self.ticks) = (life, 0);
        self.lose_way();
    }

    /// The robot was lifted: odometry starts anew where it then stands.
    pub(crate) fn lose_way(&mut self) {
        if let Some(reckoner) = &mut self.reckoner {
            reckoner.odometry = None;
        }
    }

    /// Before a tick: the pose that belongs to the encoders' next reading.
    pub(crate) fn start(&mut self, run: &Run, robot: usize) {
        if let Some(reckoner) = &mut self.reckoner
            && reckoner.odometry.is_none()
        {
            let truth = run.truth(robot);
            reckoner.origin = (Vec2::new(truth.x_m, truth.y_m), truth.heading_rad);
        }
    }

    /// After a tick: what the encoders showed in it.
    pub(crate) fn feel(&mut self, percept: &Percept) {
        let Some(reckoner) = &mut self.reckoner else { return };
        let [left, right] = reckoner.channels.map(|c| percept.reading(c).value());
        let (Some(left), Some(right)) = (left, right) else { return };
        let counts = [left as u32, right as u32];
        if let Some(odometry) = &mut reckoner.odometry {
            odometry.update(counts);
            return;
        }
        let start = Odometry::new(reckoner.spec, counts).ok();
        reckoner.odometry = start.map(|mut odometry| {
            (odometry.at, odometry.heading_rad) = reckoner.origin;
            odometry
        });
    }

    /// Position and heading by odometry.
    pub(crate) fn odometry(&self) -> Option<[f32; 3]> {
        let odometry = self.reckoner.as_ref()?.odometry.as_ref()?;
        Some([odometry.at.x, odometry.at.y, odometry.heading_rad])
    }

    /// Adds lines to the log.
    pub(crate) fn log(&mut self, lines: Vec<LogLine>) {
        let lines = lines.into_iter().map(|l| LogEntry { tick: l.tick, text: l.text });
        self.log.extend(lines);
        let excess = self.log.len().saturating_sub(LOG_MAX);
        self.log.drain(..excess);
    }

    /// Takes the log.
    pub(crate) fn take_log(&mut self) -> Vec<LogEntry> {
        core::mem::take(&mut self.log)
    }
}

fn reckoner(plan: &RobotPlan) -> Option<Reckoner> {
    let (base_m, turn_factor) = match plan.drive {
        DriveSpec::Stepper { base_m, .. } => (base_m, 1.0),
        DriveSpec::Motors { base_m, turn_share, .. } => (base_m, turn_share),
        DriveSpec::Tricycle { .. } => return None,
    };
    let encoder = |side: Wheel| {
        plan.sensors.iter().enumerate().find_map(|(i, model)| match *model {
            SensorModel::Encoder { wheel, counts_per_m, modulus } if wheel == side => {
                Some((i, counts_per_m, modulus))
            }
            _ => None,
        })
    };
    let (left, right) = (encoder(Wheel::Left)?, encoder(Wheel::Right)?);
    if left.2 != right.2 {
        return None;
    }
    let counts_per_m = [left.1, right.1];
    let spec = OdometrySpec { base_m, counts_per_m, modulus: left.2, turn_factor };
    let origin = (Vec2::default(), 0.0);
    Some(Reckoner { spec, channels: [left.0, right.0], origin, odometry: None })
}

/// Adds the inside of a mind to a hash.
pub(crate) struct Digest(pub(crate) StateHash);

impl Observer for Digest {
    fn value(&mut self, _name: &str, _channel: Option<&str>, value: f64) {
        self.0.word(value.to_bits());
    }
}

/// Collects values by name.
#[derive(Debug, Default)]
pub(crate) struct Values(pub(crate) Vec<NamedValue>);

impl Observer for Values {
    fn value(&mut self, name: &str, channel: Option<&str>, value: f64) {
        let name = channel.map_or_else(|| name.to_owned(), |channel| format!("{name}_{channel}"));
        self.0.push(NamedValue { name, value: Some(value).filter(|v| v.is_finite()) });
    }
}
