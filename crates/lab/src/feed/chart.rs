//! The figure of a fed recording: what was sensed and what the mind made of it, over time.
//!
//! Terms: a *bin* is a stretch of ticks drawn as one point.
//!
//! Memory is bounded: when the bins run out, two become one. Startle is drawn at its largest in a
//! bin, so that no spike is lost; everything else as the mean.
//!
//! What it does not do: it computes no statistics.

use tropism_ethology::plot::{Mark, Panel, Panels, PlotError, Series, Shade, Svg, panels};
use tropism_organism::physiology::Need;

use super::output::Recorder;
use super::segments::{Kind, Segment};

const BINS_MAX: usize = 4_096;

/// One drawn value.
#[derive(Debug)]
struct Track {
    panel: usize,
    name: String,
    column: Option<usize>,
    scale: f64,
    offset: f64,
    takes_largest: bool,
    sum: f64,
    bins: Vec<f64>,
}

impl Track {
    fn new(panel: usize, name: &str, column: Option<usize>) -> Self {
        let name = name.into();
        let (scale, offset, takes_largest) = (1.0, 0.0, false);
        Self { panel, name, column, scale, offset, takes_largest, sum: 0.0, bins: Vec::new() }
    }

    fn over(self, scale: f64, offset: f64) -> Self {
        Self { scale, offset, ..self }
    }

    fn empty_sum(&self) -> f64 {
        if self.takes_largest { f64::NEG_INFINITY } else { 0.0 }
    }

    fn add(&mut self, value: f64) {
        let value = value * self.scale + self.offset;
        self.sum = if self.takes_largest { self.sum.max(value) } else { self.sum + value };
    }

    fn close(&mut self, ticks: u64) {
        let value = if self.takes_largest { self.sum } else { self.sum / ticks as f64 };
        self.bins.push(value);
        self.sum = self.empty_sum();
    }

    fn halve(&mut self) {
        let largest = self.takes_largest;
        let merged = self.bins.chunks(2).map(|pair| match pair {
            [a, b] if largest => a.max(*b),
            [a, b] => 0.5 * (a + b),
            other => other[0],
        });
        self.bins = merged.collect();
    }
}

const fn drive_label(need: Need) -> &'static str {
    match need {
        Need::Energy => "energy drive",
        Need::Fatigue => "fatigue drive",
        Need::Safety => "safety drive",
        Need::Arousal => "arousal drive",
        Need::Curiosity => "curiosity drive",
        Need::Boredom => "boredom drive",
    }
}

/// Collects what is drawn while a recording is fed.
#[derive(Debug)]
pub(super) struct Chart {
    tracks: Vec<Track>,
    labels: Vec<&'static str>,
    ticks_per_bin: u64,
    in_bin: u64,
    tick_s: f64,
}

impl Chart {
    /// Tracks for the values that `recorder` has. `carmen` adds the odometry and the sides.
    pub(super) fn new(recorder: &Recorder, tick_s: f64) -> Self {
        let mut chart =
            Self { tracks: Vec::new(), labels: Vec::new(), ticks_per_bin: 1, in_bin: 0, tick_s };
        let column = |name: &str| recorder.column(name);
        if let (Some(turn), Some(right), Some(left)) =
            (column("in_turn_rate"), column("in_range_0"), column("in_range_7"))
        {
            let top = f64::from(super::carmen::TURN_RAD_S_MAX);
            let far = f64::from(super::carmen::RANGE_M_MAX);
            let panel = chart.panel("turn rate (rad/s)");
            chart.tracks.push(Track::new(panel, "", Some(turn)).over(2.0 * top, -top));
            let panel = chart.panel("side range (m)");
            chart.tracks.push(Track::new(panel, "right", Some(right)).over(far, 0.0));
            chart.tracks.push(Track::new(panel, "left", Some(left)).over(far, 0.0));
        }
        for (label, name, takes_largest) in [
            ("activity", "activity", false),
            ("spike (max)", "spike", true),
            ("surprise", "surprise", false),
            ("boredom", "h_boredom", false),
        ] {
            let panel = chart.panel(label);
            chart.tracks.push(Track { takes_largest, ..Track::new(panel, "", column(name)) });
        }
        for need in Need::ALL {
            let panel = chart.panel(drive_label(need));
            let name = format!("d_{}", need.name());
            chart.tracks.push(Track::new(panel, "", column(&name)));
        }
        for track in &mut chart.tracks {
            track.sum = track.empty_sum();
        }
        chart
    }

    fn panel(&mut self, label: &'static str) -> usize {
        self.labels.push(label);
        self.labels.len() - 1
    }

    /// Takes the tick that was just recorded.
    pub(super) fn take(&mut self, recorder: &Recorder) {
        for track in &mut self.tracks {
            let value = track.column.map_or(f64::NAN, |column| recorder.value(column));
            track.add(value);
        }
        self.in_bin += 1;
        if self.in_bin < self.ticks_per_bin {
            return;
        }
        self.tracks.iter_mut().for_each(|track| track.close(self.in_bin));
        self.in_bin = 0;
        if self.tracks[0].bins.len() >= BINS_MAX {
            self.tracks.iter_mut().for_each(Track::halve);
            self.ticks_per_bin *= 2;
        }
    }

    /// The figure, turns and doorways shaded.
    pub(super) fn draw(&self, segments: &[Segment]) -> Result<Svg, PlotError> {
        let minutes = self.tick_s / 60.0;
        let bin = self.ticks_per_bin as f64 * minutes;
        let lines: Vec<Vec<(f64, f64)>> = self
            .tracks
            .iter()
            .map(|track| {
                (0..).map(|i| f64::from(i) * bin).zip(track.bins.iter().copied()).collect()
            })
            .collect();
        let series = |panel: usize| {
            let own = self.tracks.iter().zip(&lines).filter(move |t| t.0.panel == panel);
            own.map(|(track, points)| Series {
                name: &track.name,
                points,
                band: &[],
                mark: Mark::Line,
            })
        };
        let marked = segments.iter().filter(|s| matches!(s.kind, Kind::Turn | Kind::Doorway));
        let shades = marked.map(|s| Shade {
            name: s.kind.name(),
            from: s.from as f64 * minutes,
            to: s.to as f64 * minutes,
        });
        let first_drive = self.labels.len() - Need::ALL.len();
        let is_level = |panel: &usize| {
            let mut own = self.tracks.iter().filter(|track| track.panel == *panel);
            own.all(|track| track.bins.iter().all(|value| *value == 0.0))
        };
        panels(&Panels {
            panels: (0..self.labels.len())
                .filter(|panel| *panel < first_drive || !is_level(panel))
                .map(|i| Panel { y_label: self.labels[i], series: series(i).collect(), y: None })
                .collect(),
            shades: shades.collect(),
            x_label: "time (min)",
        })
    }
}
