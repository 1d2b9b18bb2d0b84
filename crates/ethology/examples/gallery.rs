//! Every figure and table of the library on one page, from invented data.
//!
//! `cargo run -p tropism-ethology --example gallery -- FOLDER` writes `gallery.html`, the figures
//! as `.svg` files and a BORIS project into the folder.

use std::path::Path;

use tropism_core::{Draws, Purpose, Seed, Tick, TimeStep};
use tropism_ethology::boris::{self, Observation, Project, Track};
use tropism_ethology::ethogram::{CAPACITY, Catalogue, Ethogram, Recorder};
use tropism_ethology::plot::{self, Svg};
use tropism_ethology::report::Report;
use tropism_ethology::statistics::{BOOTSTRAP, compare_paired, summarise};
use tropism_ethology::survival::{KaplanMeier, Lifespan};
use tropism_ethology::table::{Column, Format, Kind, Table, atomic_write};

const CONDITIONS: [&str; 3] = ["full", "no reflexes", "no learning"];
const STATES: [&str; 5] = ["wander", "approach dock", "dock", "escape", "rest"];

fn draws(number: u64) -> Draws {
    Seed(5)
        .stream(Purpose::named("gallery"), 0, 0)
        .at(Tick(number))
}

/// Lifespans in seconds under a cap of ten hours, 30 organisms with two lives each.
fn lives(condition: usize) -> Vec<Lifespan> {
    let mut draws = draws(condition as u64);
    let mean_h = [6.0, 3.5, 2.0][condition];
    let life = |organism| {
        let u = 1.0 - f64::from(draws.uniform());
        let hours = -mean_h * tropism_core::math::f64::ln(u.max(1e-9));
        if hours > 10.0 {
            Lifespan::censored(organism, 36_000.0)
        } else {
            Lifespan::died(organism, hours * 3600.0)
        }
    };
    (0..30)
        .flat_map(|organism| [organism, organism])
        .map(life)
        .collect()
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
            (3 | 4, _) | (2, _) => 0,
            _ => 3,
        };
    }
    recorder.finish()
}

fn survival_figures() -> Vec<(&'static str, Svg, &'static str)> {
    let all: Vec<Vec<Lifespan>> = (0..3).map(lives).collect();
    let curves: Vec<KaplanMeier> = all.iter().map(|lives| KaplanMeier::fit(lives)).collect();
    let named: Vec<plot::SurvivalCurve<'_>> = CONDITIONS
        .iter()
        .zip(&curves)
        .map(|(name, curve)| plot::SurvivalCurve { name, curve })
        .collect();
    let axis = plot::TimeAxis {
        label: "life (h)",
        scale: 1.0 / 3600.0,
    };
    let hours: Vec<Vec<f64>> = all
        .iter()
        .map(|lives| lives.iter().map(|life| life.duration / 3600.0).collect())
        .collect();
    let groups: Vec<plot::Group<'_>> = CONDITIONS
        .iter()
        .zip(&hours)
        .map(|(name, values)| plot::Group { name, values })
        .collect();
    let seeded = |c: usize| -> Vec<(u64, f64)> { (0..).zip(hours[c].iter().copied()).collect() };
    let rows: Vec<plot::ForestRow<'_>> = (1..3)
        .filter_map(|c| {
            let paired = compare_paired(&seeded(0), &seeded(c), BOOTSTRAP)?;
            let (mean, interval) = (paired.mean, paired.interval);
            Some(plot::ForestRow {
                name: CONDITIONS[c],
                mean,
                interval,
            })
        })
        .collect();
    let points: Vec<Vec<plot::LifePoint>> = (0..3)
        .map(|c| {
            (0..6)
                .filter_map(|life| {
                    let values = &hours[c][life * 10..life * 10 + 10];
                    let summary = summarise(values, BOOTSTRAP)?;
                    let (mean, interval) = (summary.mean, summary.interval);
                    Some(plot::LifePoint {
                        life: u32::try_from(life).ok()?,
                        mean,
                        interval,
                    })
                })
                .collect()
        })
        .collect();
    let series: Vec<plot::LivesSeries<'_>> = CONDITIONS
        .iter()
        .zip(&points)
        .map(|(name, points)| plot::LivesSeries { name, points })
        .collect();
    vec![
        (
            "survival",
            plot::kaplan_meier(&named, axis).expect("lives"),
            "Survivor curves, 95 % bands.",
        ),
        (
            "distribution",
            plot::distribution(&groups, "life (h)").expect("lives"),
            "Every life.",
        ),
        (
            "histogram",
            plot::histogram(&hours[0], 20, "life (h)").expect("lives"),
            "Lives, full.",
        ),
        (
            "forest",
            plot::forest(&rows, "difference to full (h)", Some(0.0)).expect("rows"),
            "Paired differences, 95 % bootstrap intervals.",
        ),
        (
            "lives",
            plot::lives(&series, "life (h)").expect("points"),
            "Learning over lives.",
        ),
    ]
}

fn behaviour_figures(
    record: &Ethogram,
    other: &Ethogram,
) -> Vec<(&'static str, Svg, &'static str)> {
    let shares = |record: &Ethogram| -> Vec<f64> {
        record.time_budget().iter().map(|row| row.share).collect()
    };
    let (a, b) = (shares(record), shares(other));
    let bars = [
        plot::BudgetBar {
            name: "controlling module",
            shares: &a,
        },
        plot::BudgetBar {
            name: "observed behaviour",
            shares: &b,
        },
    ];
    let lines: Vec<(&str, Vec<(f64, f64)>)> = (0..5_u8)
        .filter_map(|state| {
            let lengths = record.bout_lengths(state)?;
            Some((
                STATES[usize::from(state)],
                lengths.log_survivorship(record.step()),
            ))
        })
        .collect();
    let bouts: Vec<plot::BoutSeries<'_>> = lines
        .iter()
        .map(|(name, points)| plot::BoutSeries { name, points })
        .collect();
    vec![
        (
            "budget",
            plot::time_budget(&STATES, &bars).expect("states"),
            "Time budget.",
        ),
        (
            "transitions",
            plot::transition_matrix(record.transitions()).expect("transitions"),
            "Transition probabilities; frames mark residuals above 2.",
        ),
        (
            "bouts",
            plot::log_survivorship(&bouts).expect("bouts"),
            "Log-survivorship of bouts.",
        ),
    ]
}

fn trace_figures(record: &Ethogram) -> Vec<(&'static str, Svg, &'static str)> {
    let wave = |period: f64, phase: f64| -> Vec<(f64, f64)> {
        (0..4_000)
            .map(|i| f64::from(i) / 200.0)
            .map(|t| {
                (
                    t,
                    0.5 + 0.4 * tropism_core::math::f64::sin(t / period + phase),
                )
            })
            .collect()
    };
    let (surprise, salience, hunger, fear) = (
        wave(0.4, 0.0),
        wave(0.9, 1.0),
        wave(3.0, 2.0),
        wave(2.0, 4.0),
    );
    let band: Vec<(f64, f64, f64)> = surprise
        .iter()
        .step_by(20)
        .map(|(t, y)| (*t, y - 0.08, y + 0.08))
        .collect();
    let line = |name, points| plot::Series {
        name,
        points,
        band: &[],
        mark: plot::Mark::Line,
    };
    let shades: Vec<plot::Shade<'_>> = record
        .bouts()
        .iter()
        .filter(|bout| bout.state == 2 && bout.ticks > 40)
        .map(|bout| {
            (
                record.step().seconds_at(bout.start),
                record.step().seconds_at(bout.end()),
            )
        })
        .map(|(from, to)| plot::Shade {
            name: "dock",
            from: from / 60.0,
            to: to / 60.0,
        })
        .collect();
    let panel = |y_label, series| plot::Panel {
        y_label,
        series,
        y: Some((0.0, 1.0)),
    };
    let with_band = plot::Series {
        band: &band,
        ..line("surprise", &surprise)
    };
    let figure = plot::Panels {
        panels: vec![
            panel("surprise", vec![with_band]),
            panel("salience", vec![line("salience", &salience)]),
            panel("drive", vec![line("hunger", &hunger), line("fear", &fear)]),
        ],
        shades,
        x_label: "time (min)",
    };
    let visits: Vec<f64> = (0..40 * 30)
        .map(|cell| {
            let (x, y) = (
                f64::from(cell % 40) / 40.0 - 0.4,
                f64::from(cell / 40) / 30.0 - 0.6,
            );
            let out = x > 0.45 && y < -0.3;
            if out {
                f64::NAN
            } else {
                30.0 * tropism_core::math::f64::exp(-8.0 * (x * x + y * y))
            }
        })
        .collect();
    let map = plot::HeatMap {
        columns: 40,
        values: &visits,
        x: (0.0, 4.0),
        y: (0.0, 3.0),
        x_label: "x (m)",
        y_label: "y (m)",
        value_label: "time (s)",
    };
    let cloud: Vec<(f64, f64)> = (0..80)
        .map(|n| draws(500 + n))
        .map(|mut d| (f64::from(d.uniform()), f64::from(d.normal())))
        .collect();
    let series = [
        plot::Series {
            name: "runs",
            points: &cloud,
            band: &[],
            mark: plot::Mark::Points,
        },
        line("fit", &[(0.0, -0.2), (1.0, 0.3)]),
    ];
    vec![
        (
            "panels",
            plot::panels(&figure).expect("points"),
            "Traces; shaded: on the dock.",
        ),
        (
            "map",
            plot::heat_map(&map).expect("cells"),
            "Coverage of the room.",
        ),
        (
            "xy",
            plot::xy(&series, "coverage (share)", "surprise (bit)").expect("points"),
            "Runs.",
        ),
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
        let hours: Vec<f64> = lives(condition)
            .iter()
            .map(|life| life.duration / 3600.0)
            .collect();
        let s = summarise(&hours, BOOTSTRAP).expect("lives");
        let (low, high) = (s.interval.map(|i| i.low), s.interval.map(|i| i.high));
        let row = [
            (*name).into(),
            s.n.into(),
            s.mean.into(),
            s.standard_error.into(),
        ];
        table
            .push(&[&row[..], &[low.into(), high.into()]].concat())
            .expect("a fitting row");
    }
    table
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let folder = std::env::args()
        .nth(1)
        .ok_or("give the folder to write into")?;
    let folder = Path::new(&folder);
    let (module, seen) = (
        record(0, "controlling module"),
        record(1, "observed behaviour"),
    );
    let table = table();
    let mut report = Report::new("Gallery of figures")
        .section("Numbers")
        .text("All data on this page are invented; it shows what figures look like.")
        .warnings(&[tropism_ethology::Warning::SmallSample { n: 10 }])
        .table(
            &table,
            "Mean life per condition with standard error and 95 % interval.",
        )
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
            atomic_write(
                &folder.join(format!("{name}.svg")),
                figure.as_str().as_bytes(),
            )?;
        }
    }
    atomic_write(&folder.join("gallery.html"), report.render().as_bytes())?;
    table.write(&folder.join("lives.parquet"), Format::Parquet)?;
    let date = "2026-01-01T00:00:00";
    let tracks = vec![
        Track {
            subject: "robot 1 (module)",
            record: &module,
        },
        Track {
            subject: "robot 1 (observed)",
            record: &seen,
        },
    ];
    let observations = vec![Observation {
        id: "life 0",
        description: "",
        date,
        tracks,
    }];
    let events = boris::aggregated_csv(&observations);
    atomic_write(&folder.join("events.csv"), events.as_bytes())?;
    let project = Project {
        name: "gallery",
        description: "",
        date,
        observations,
    };
    atomic_write(
        &folder.join("gallery.boris"),
        boris::project_json(&project).as_bytes(),
    )?;
    Ok(())
}
