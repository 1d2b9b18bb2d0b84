//! What a robot was doing, read from its own record, and what the mind made of it.
//!
//! Terms: an *interval* lies between two rows of the recording; a *segment* is a run of intervals
//! of one kind. Kinds, by the speeds held over the interval and the side ranges at its two ends:
//! - turn: |turn rate| ≥ 0.15 rad/s;
//! - doorway: no turn, and a side range changes by 2 m or more;
//! - still: |forward speed| ≤ 0.02 m/s, |turn rate| ≤ 0.02 rad/s, no side change;
//! - corridor: forward ≥ 0.1 m/s, |turn rate| ≤ 0.05 rad/s, both sides within 3 m at both ends,
//!   changed by less than 0.5 m;
//! - other: the rest.
//!
//! The segment, not the tick, is the unit of the statistics: ticks of a segment are correlated.
//! Intervals of means and differences are bootstrap intervals over segments.
//!
//! What it does not do: no map; a doorway is an opening at the side, whatever it leads to. Kinds
//! exist for bodies with the channels of [`super::carmen_body`].

use tropism_body::BodySpec;
use tropism_ethology::statistics::{
    BOOTSTRAP, Interval, bca_mean, mean, percentile_interval, resample,
};

use super::carmen::{FORWARD_M_S_MAX, TURN_RAD_S_MAX};
use super::output::Recorder;
use super::timeline::{Moment, Timeline};

const TURN_RAD_S: f32 = 0.15;
const STRAIGHT_RAD_S: f32 = 0.05;
const DOORWAY_M: f32 = 2.0;
const EVEN_M: f32 = 0.5;
const WALL_M: f32 = 3.0;
const DRIVING_M_S: f32 = 0.1;
const STILL: f32 = 0.02;
/// Most segments kept; what comes later is fed but not summed up.
const SEGMENTS_MAX: usize = 100_000;

/// What the robot was doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Not moving.
    Still,
    /// Straight between near walls.
    Corridor,
    /// Passing an opening.
    Doorway,
    /// Turning.
    Turn,
    /// Anything else.
    Other,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Still, Self::Corridor, Self::Doorway, Self::Turn, Self::Other];

    /// Name in tables and figures.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Still => "still",
            Self::Corridor => "corridor",
            Self::Doorway => "doorway",
            Self::Turn => "turn",
            Self::Other => "other",
        }
    }
}

/// Measures of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Mean salience over the channels.
    Activity,
    /// Largest startle.
    Spike,
    /// Prediction error.
    Surprise,
    /// Boredom.
    Boredom,
    /// Change of boredom per second over the segment.
    BoredomRate,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 5] =
        [Self::Activity, Self::Spike, Self::Surprise, Self::Boredom, Self::BoredomRate];

    /// Name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Activity => "activity",
            Self::Spike => "spike",
            Self::Surprise => "surprise",
            Self::Boredom => "boredom",
            Self::BoredomRate => "boredom_per_s",
        }
    }
}

/// A run of intervals of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Kind.
    pub kind: Kind,
    /// First tick.
    pub from: u64,
    /// Tick after the last.
    pub to: u64,
    /// Mean of activity, spike, surprise and boredom over its ticks, and boredom's change per s.
    pub measures: [f64; 5],
}

/// Which channels tell the kinds.
#[derive(Clone, Copy, Debug)]
struct Roles {
    sides: [usize; 2],
    drive: usize,
    turn: usize,
}

impl Roles {
    fn of(body: &BodySpec) -> Option<Self> {
        let sides = [body.sensor("range_0")?, body.sensor("range_7")?];
        Some(Self { sides, drive: body.actuator("drive")?, turn: body.actuator("turn")? })
    }
}

/// Collects segments while a recording is fed.
#[derive(Debug)]
pub(super) struct Segmenter {
    roles: Option<Roles>,
    columns: [Option<usize>; 4],
    tick_s: f64,
    open: Option<Open>,
    segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    kind: Kind,
    from: u64,
    ticks: u64,
    sums: [f64; 4],
    boredom_first: f64,
    boredom_last: f64,
}

impl Segmenter {
    pub(super) fn new(body: &BodySpec, recorder: &Recorder, tick_s: f64) -> Self {
        let columns = ["activity", "spike", "surprise", "h_boredom"];
        let columns = columns.map(|name| recorder.column(name));
        Self { roles: Roles::of(body), columns, tick_s, open: None, segments: Vec::new() }
    }

    /// Takes the tick that was just recorded.
    pub(super) fn take(&mut self, moment: &Moment, timeline: &Timeline<'_>, recorder: &Recorder) {
        let Some(roles) = self.roles else { return };
        let tick = moment.percept.tick.0;
        if moment.is_new_row {
            let kind = kind_of(roles, moment, timeline);
            if self.open.is_none_or(|open| open.kind != kind) || moment.is_reset {
                self.close(tick);
                let sums = [0.0; 4];
                let open = Open {
                    kind,
                    from: tick,
                    ticks: 0,
                    sums,
                    boredom_first: 0.0,
                    boredom_last: 0.0,
                };
                self.open = Some(open);
            }
        }
        if let Some(open) = &mut self.open {
            for (sum, column) in open.sums.iter_mut().zip(self.columns) {
                *sum += column.map_or(f64::NAN, |column| recorder.value(column));
            }
            open.boredom_last = self.columns[3].map_or(f64::NAN, |column| recorder.value(column));
            if open.ticks == 0 {
                open.boredom_first = open.boredom_last;
            }
            open.ticks += 1;
        }
    }

    fn close(&mut self, tick: u64) {
        let Some(open) = self.open.take() else { return };
        if open.ticks == 0 || self.segments.len() >= SEGMENTS_MAX {
            return;
        }
        let [activity, spike, surprise, boredom] = open.sums.map(|sum| sum / open.ticks as f64);
        let seconds = (open.ticks as f64 - 1.0) * self.tick_s;
        let rate = (open.boredom_last - open.boredom_first) / seconds;
        let measures = [activity, spike, surprise, boredom, rate];
        self.segments.push(Segment { kind: open.kind, from: open.from, to: tick, measures });
    }

    pub(super) fn finish(mut self, ticks: u64) -> Vec<Segment> {
        self.close(ticks);
        self.segments
    }
}

fn kind_of(roles: Roles, moment: &Moment, timeline: &Timeline<'_>) -> Kind {
    let felt = |j: usize| moment.percept.actuators.get(j).map_or(0.0, |state| state.value);
    let forward = felt(roles.drive) * FORWARD_M_S_MAX;
    let turn = (felt(roles.turn) * TURN_RAD_S_MAX).abs();
    let ends = roles.sides.map(|side| timeline.ends(side));
    if turn >= TURN_RAD_S {
        return Kind::Turn;
    }
    let [Some(right), Some(left)] = ends else {
        return Kind::Other;
    };
    let change = (right.1 - right.0).abs().max((left.1 - left.0).abs());
    let farthest = right.0.max(right.1).max(left.0).max(left.1);
    if change >= DOORWAY_M {
        Kind::Doorway
    } else if forward.abs() <= STILL && turn <= STILL {
        Kind::Still
    } else if forward >= DRIVING_M_S
        && turn <= STRAIGHT_RAD_S
        && farthest <= WALL_M
        && change < EVEN_M
    {
        Kind::Corridor
    } else {
        Kind::Other
    }
}

/// A mean over segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean, NaN without segments.
    pub mean: f64,
    /// 95 % bootstrap interval; `None` for fewer than two segments.
    pub interval: Option<Interval>,
}

/// All segments of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct KindSummary {
    /// Kind.
    pub kind: Kind,
    /// Number of segments.
    pub segments: usize,
    /// Their time together, s.
    pub seconds: f64,
    /// Means in the order of [`Measure::ALL`].
    pub means: [Estimate; 5],
}

/// A kind against the corridor.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// Kind.
    pub kind: Kind,
    /// Mean over its segments less the mean over corridor segments, in the order of
    /// [`Measure::ALL`]; intervals resample segments of both kinds together.
    pub differences: [Estimate; 5],
}

fn values_of(segments: &[Segment], kind: Kind, measure: usize) -> Vec<f64> {
    let of_kind = segments.iter().filter(|segment| segment.kind == kind);
    of_kind.map(|segment| segment.measures[measure]).filter(|value| value.is_finite()).collect()
}

/// Means of every kind that occurs.
pub(super) fn summarise(segments: &[Segment], tick_s: f64) -> Vec<KindSummary> {
    let of = |kind: Kind| segments.iter().filter(move |segment| segment.kind == kind);
    let occurring = Kind::ALL.into_iter().filter(|kind| of(*kind).next().is_some());
    occurring
        .map(|kind| KindSummary {
            kind,
            segments: of(kind).count(),
            seconds: of(kind).map(|s| (s.to - s.from) as f64 * tick_s).sum(),
            means: core::array::from_fn(|measure| {
                let values = values_of(segments, kind, measure);
                let interval = bca_mean(&values, BOOTSTRAP);
                Estimate { mean: mean(&values).unwrap_or(f64::NAN), interval }
            }),
        })
        .collect()
}

/// Every occurring kind but the corridor against the corridor; empty without corridor segments.
pub(super) fn contrasts(segments: &[Segment]) -> Vec<Contrast> {
    let occurs = |kind: Kind| segments.iter().filter(|s| s.kind == kind).count() > 1;
    if !occurs(Kind::Corridor) {
        return Vec::new();
    }
    let others = [Kind::Turn, Kind::Doorway, Kind::Still].into_iter().filter(|kind| occurs(*kind));
    others
        .map(|kind| Contrast {
            kind,
            differences: core::array::from_fn(|measure| {
                let treated = values_of(segments, kind, measure);
                difference(&values_of(segments, Kind::Corridor, measure), &treated)
            }),
        })
        .collect()
}

/// Difference of two means; each resample draws from both groups together and is split again.
fn difference(base: &[f64], treated: &[f64]) -> Estimate {
    let observed = mean(treated).unwrap_or(f64::NAN) - mean(base).unwrap_or(f64::NAN);
    let values = resample(base.len() + treated.len(), BOOTSTRAP, |indices| {
        let (mut sums, mut counts) = ([0.0; 2], [0.0; 2]);
        for &i in indices {
            let (side, value) =
                if i < base.len() { (0, base[i]) } else { (1, treated[i - base.len()]) };
            sums[side] += value;
            counts[side] += 1.0;
        }
        (counts[0] > 0.0 && counts[1] > 0.0).then(|| sums[1] / counts[1] - sums[0] / counts[0])
    });
    Estimate { mean: observed, interval: percentile_interval(&values) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_a_clear_difference_has_an_interval_off_zero_and_no_difference_has_not() {
        let low: Vec<f64> = (0..30).map(|i| f64::from(i % 5)).collect();
        let high: Vec<f64> = low.iter().map(|value| value + 10.0).collect();
        let clear = difference(&low, &high);
        assert!((clear.mean - 10.0).abs() < 1e-12);
        assert!(clear.interval.unwrap().low > 8.0 && clear.interval.unwrap().high < 12.0);
        assert!(difference(&low, &low).interval.unwrap().contains(0.0));
    }

    #[test]
    fn unit_kinds_are_summed_up_apart() {
        let segment = |kind, from, to, activity| Segment {
            kind,
            from,
            to,
            measures: [activity, 0.0, 0.0, 0.0, f64::NAN],
        };
        let segments = [
            segment(Kind::Turn, 0, 20, 1.0),
            segment(Kind::Corridor, 20, 40, 0.5),
            segment(Kind::Turn, 40, 100, 3.0),
        ];
        let summary = summarise(&segments, 0.05);
        assert_eq!(summary.len(), 2);
        assert_eq!((summary[1].kind, summary[1].segments), (Kind::Turn, 2));
        assert!((summary[1].seconds - 4.0).abs() < 1e-12);
        assert!((summary[1].means[0].mean - 2.0).abs() < 1e-12);
        assert!(summary[1].means[4].mean.is_nan());
        assert!(contrasts(&segments).is_empty(), "one corridor has no spread");
    }
}
