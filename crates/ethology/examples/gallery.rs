//! Every figure and table of the library on one page, from invented data.
//!
//! `cargo run -p tropism-ethology --example gallery -- FOLDER` writes `gallery.html`, the figures
//! as `.svg` files and a BORIS project into the folder.

use std::path::Path;

use tropism_core::math::f64 as math;
use tropism_core::{Draws, Purpose, Seed, Tick, TimeStep};
use tropism_ethology::boris::{self, Observation, Project, Track};
use tropism_ethology::ethogram::{Bout, CAPACITY, Catalogue, Ethogram, Recorder, side_by_side};
use tropism_ethology::plot::{
    self, BandPoint, BoutSeries, BudgetBar, ForestRow, Group, HeatMap, LifePoint, LivesSeries,
    Mark, Panel, Panels, PlotError, Series, Shade, SurvivalCurve, Svg, TimeAxis,
};
use tropism_ethology::report::Report;
use tropism_ethology::statistics::{BOOTSTRAP, compare_paired, fit_line, summarise};
use tropism_ethology::survival::{KaplanMeier, Lifespan};
use tropism_ethology::table::{Column, Format, Kind, Table, atomic_write};

const CONDITIONS: [&str; 3] = ["full", "no reflexes", "no learning"];
const STATES: [&str; 5] = ["wander", "approach dock", "dock", "escape", "rest"];

fn draws(number: u64) -> Draws {
    Seed(5).stream(Purpose::named("gallery"), 0, 0).at(Tick(number))
}

/// Lifespans in seconds under a cap of ten hours, 30 organisms with two lives each.
fn lives(condition: usize) -> Vec<Lifespan> {
    let mut draws = draws(condition as u64);
    let mean_h = [6.0, 3.5, 2.0][condition];
    let life = |organism| {
        let u = 1.0 - f64::from(draws.uniform());
        let hours = -mean_h * math::ln(u.max(1e-9));
        if hours > 10.0 {
            Lifespan::censored(organism, 36_000.0)
        } else {
            Lifespan::died(organism, hours * 3600.0)
        }
    };
    (0..30).flat_map(|organism| [organism, organism]).map(life).collect()
}

fn record(number: u64, title: &str) -> Ethogram {
    let catalogue = Catalogue::of_states(title, &STATES).expect("distinct names");
    let mut recorder = Recorder::new("robot 1", TimeStep::TWENTIETH, catalogue, CAPACITY);
    let mut draws = draws(100 + number);
    let mut state = 0_u8;
    for _ in 0..600 {
        recorder.observe_for(state, 1 + u64::from(draws.below(40) * draws.below(12) / 4));
        state = match (state, draws.below(10)) {
            (0, 0..=4) => 1,
            (1, 0..=6) => 2,
            (2, 0..=7) => 4,
            (2..=4, _) => 0,
            _ => 3,
        };
    }
    recorder.finish()
}

/// File name, figure and caption.
type Figure = (&'static str, Svg, &'static str);

fn figure(name: &'static str, drawn: Result<Svg, PlotError>, caption: &'static str) -> Figure {
    (name, drawn.expect("the invented data can be drawn"), caption)
}

fn hours(condition: usize) -> Vec<f64> {
    lives(condition).iter().map(|life| life.duration / 3600.0).collect()
}

fn survival_figures() -> Vec<Figure> {
    let curves = [0, 1, 2].map(|condition| KaplanMeier::fit(&lives(condition)));
    let curves = [0, 1, 2].map(|c| SurvivalCurve { name: CONDITIONS[c], curve: &curves[c] });
    let axis = TimeAxis { label: "life (h)", scale: 1.0 / 3600.0 };
    let values = [0, 1, 2].map(hours);
    let groups = [0, 1, 2].map(|c| Group { name: CONDITIONS[c], values: &values[c] });
    let survival = plot::kaplan_meier(&curves, axis);
    let bins = plot::histogram(&values[0], 20, "life (h)");
    vec![
        figure("survival", survival, "Survivor curves with 95 % bands."),
        figure("distribution", plot::distribution(&groups, "life (h)"), "Every life."),
        figure("histogram", bins, "Lives of the condition full."),
        figure("forest", forest(&values), "Paired differences, 95 % bootstrap intervals."),
        figure("lives", learning(&values), "Means of ten organisms, 95 % intervals."),
    ]
}

fn forest(values: &[Vec<f64>; 3]) -> Result<Svg, PlotError> {
    let seeded = |c: usize| -> Vec<(u64, f64)> { (0..).zip(values[c].iter().copied()).collect() };
    let row = |c: usize| {
        let paired = compare_paired(&seeded(0), &seeded(c), BOOTSTRAP)?;
        let (mean, interval) = (paired.mean, paired.interval);
        Some(ForestRow { name: CONDITIONS[c], mean, interval })
    };
    let rows: Vec<ForestRow<'_>> = [1, 2].into_iter().filter_map(row).collect();
    plot::forest(&rows, "difference to full (h)", Some(0.0))
}

fn learning(values: &[Vec<f64>; 3]) -> Result<Svg, PlotError> {
    let point = |(life, sample): (u32, &[f64])| {
        let summary = summarise(sample, BOOTSTRAP)?;
        Some(LifePoint { life, mean: summary.mean, interval: summary.interval })
    };
    let points = [0, 1, 2].map(|c: usize| -> Vec<LifePoint> {
        (0..).zip(values[c].chunks(10)).filter_map(point).collect()
    });
    let series = [0, 1, 2].map(|c| LivesSeries { name: CONDITIONS[c], points: &points[c] });
    plot::lives(&series, "life (h)")
}

fn behaviour_figures(module: &Ethogram, seen: &Ethogram) -> Vec<Figure> {
    let shares = |record: &Ethogram| -> Vec<f64> {
        record.time_budget().iter().map(|row| row.share).collect()
    };
    let (a, b) = (shares(module), shares(seen));
    let bars = [
        BudgetBar { name: "controlling module", shares: &a },
        BudgetBar { name: "observed behaviour", shares: &b },
    ];
    let lines = [0, 1, 2, 3, 4_u8].map(|state| {
        let lengths = module.bout_lengths(state).expect("a state of the catalogue");
        lengths.log_survivorship(module.step())
    });
    let bouts = [0, 1, 2, 3, 4].map(|s| BoutSeries { name: STATES[s], points: &lines[s] });
    let matrix = plot::transition_matrix(module.transitions());
    vec![
        figure("budget", plot::time_budget(&STATES, &bars), "Time budget."),
        figure("transitions", matrix, "Transitions; frames mark residuals above 2."),
        figure("bouts", plot::log_survivorship(&bouts), "Log-survivorship of bouts."),
    ]
}

fn line<'a>(name: &'a str, points: &'a [(f64, f64)]) -> Series<'a> {
    Series { name, points, band: &[], mark: Mark::Line }
}

fn traces(record: &Ethogram) -> Result<Svg, PlotError> {
    let wave = |period: f64, phase: f64| -> Vec<(f64, f64)> {
        let height = |t: f64| 0.5 + 0.4 * math::sin(t / period + phase);
        (0..4_000).map(|i| f64::from(i) / 200.0).map(|t| (t, height(t))).collect()
    };
    let (surprise, salience) = (wave(0.4, 0.0), wave(0.9, 1.0));
    let (hunger, fear) = (wave(3.0, 2.0), wave(2.0, 4.0));
    let around = |(t, y): &(f64, f64)| (*t, y - 0.08, y + 0.08);
    let band: Vec<BandPoint> = surprise.iter().step_by(20).map(around).collect();
    let minutes = |tick| record.step().seconds_at(tick) / 60.0;
    let docked = record.bouts().iter().filter(|bout| bout.state == 2 && bout.ticks > 40);
    let shade = |bout: &Bout| {
        let (from, to) = (minutes(bout.start), minutes(bout.end()));
        Shade { name: "dock", from, to }
    };
    let panel = |y_label, series| Panel { y_label, series, y: Some((0.0, 1.0)) };
    let with_band = Series { band: &band, ..line("surprise", &surprise) };
    plot::panels(&Panels {
        panels: vec![
            panel("surprise", vec![with_band]),
            panel("salience", vec![line("salience", &salience)]),
            panel("drive", vec![line("hunger", &hunger), line("fear", &fear)]),
        ],
        shades: docked.map(shade).collect(),
        x_label: "time (min)",
    })
}

fn coverage() -> Result<Svg, PlotError> {
    let visit = |cell: u32| {
        let x = f64::from(cell % 40) / 40.0 - 0.4;
        let y = f64::from(cell / 40) / 30.0 - 0.6;
        let wall = x > 0.45 && y < -0.3;
        if wall { f64::NAN } else { 30.0 * math::exp(-8.0 * (x * x + y * y)) }
    };
    let visits: Vec<f64> = (0..40 * 30).map(visit).collect();
    plot::heat_map(&HeatMap {
        columns: 40,
        values: &visits,
        x: (0.0, 4.0),
        y: (0.0, 3.0),
        x_label: "x (m)",
        y_label: "y (m)",
        value_label: "time (s)",
    })
}

fn trace_figures(record: &Ethogram) -> Vec<Figure> {
    let point = |mut d: Draws| (f64::from(d.uniform()), f64::from(d.normal()));
    let cloud: Vec<(f64, f64)> = (500..580).map(draws).map(point).collect();
    let runs = Series { mark: Mark::Points, ..line("runs", &cloud) };
    let ends =
        fit_line(&cloud).map_or([0.0, 0.0], |fit| [fit.intercept, fit.intercept + fit.slope]);
    let fitted = [(0.0, ends[0]), (1.0, ends[1])];
    let series = [runs, line("least squares", &fitted)];
    vec![
        figure("panels", traces(record), "Traces; shaded: on the dock."),
        figure("map", coverage(), "Coverage of the room."),
        figure("xy", plot::xy(&series, "coverage (share)", "surprise (bit)"), "Runs."),
    ]
}

fn table() -> Table {
    let mut table = Table::new(vec![
        Column::new("condition", Kind::Text),
        Column::new("n", Kind::U64),
        Column::new("mean_h", Kind::F64),
        Column::new("se_h", Kind::F64),
        Column::new("low_h", Kind::F64),
        Column::new("high_h", Kind::F64),
    ])
    .expect("distinct columns");
    for (condition, name) in CONDITIONS.iter().enumerate() {
        let s = summarise(&hours(condition), BOOTSTRAP).expect("lives");
        let (low, high) = (s.interval.map(|i| i.low), s.interval.map(|i| i.high));
        let row = [(*name).into(), s.n.into(), s.mean.into(), s.standard_error.into()];
        table.push(&[&row[..], &[low.into(), high.into()]].concat()).expect("a fitting row");
    }
    table
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder to write into")?;
    let folder = Path::new(&folder);
    let (module, seen) = (record(0, "controlling module"), record(1, "observed behaviour"));
    let table = table();
    let mut report = Report::new("Gallery of figures")
        .section("Numbers")
        .text("All data on this page are invented; it shows what figures look like.")
        .warnings(&[tropism_ethology::Warning::SmallSample { n: 10 }])
        .table(&table, "Mean life per condition with standard error and 95 % interval.")
        .code(&table.to_text());
    let parts = [
        ("Lives", survival_figures()),
        ("Behaviour", behaviour_figures(&module, &seen)),
        ("Traces", trace_figures(&module)),
    ];
    for (heading, figures) in parts {
        report = report.section(heading);
        for (name, figure, caption) in figures {
            report = report.figure(&figure, caption);
            atomic_write(&folder.join(format!("{name}.svg")), figure.as_str().as_bytes())?;
        }
    }
    atomic_write(&folder.join("gallery.html"), report.render().as_bytes())?;
    table.write(&folder.join("lives.parquet"), Format::Parquet)?;
    let both = side_by_side(&module, &seen)?.table(&module, &seen)?;
    both.write(&folder.join("side_by_side.csv"), Format::Csv)?;
    let date = "2026-01-01T00:00:00";
    let tracks = vec![
        Track { subject: "robot 1 (module)", record: &module },
        Track { subject: "robot 1 (observed)", record: &seen },
    ];
    let observations = vec![Observation { id: "life 0", description: "", date, tracks }];
    let events = boris::aggregated_csv(&observations);
    atomic_write(&folder.join("events.csv"), events.as_bytes())?;
    let project = Project { name: "gallery", description: "", date, observations };
    atomic_write(&folder.join("gallery.boris"), boris::project_json(&project).as_bytes())?;
    Ok(())
}
