//! Every figure stated about layered dual dynamics, in one run.
//!
//! Courses: 200 seeded obstacle courses for the library's course network, attractor dynamics and a
//! potential field, with Wilson intervals for rates and bootstrap intervals over courses for paired
//! differences. Cost: instructions counted by `valgrind --tool=callgrind` on this program, as the
//! difference between two run lengths; skipped without valgrind.
//!
//! `cargo run --release -p tropism-bench --bin dynamics` prints the table and writes
//! `bench/results/dynamics.csv`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its result")]

#[path = "dynamics/cost.rs"]
mod cost;
#[path = "dynamics/courses.rs"]
mod courses;

use core::fmt::Write as _;

/// One stated figure.
struct Figure {
    name: String,
    value: f64,
    interval: Option<(f64, f64)>,
    bar: &'static str,
}

impl Figure {
    fn plain(name: &str, value: f64, bar: &'static str) -> Self {
        Self { name: name.to_owned(), value, interval: None, bar }
    }
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, kind, count] = arguments.as_slice()
        && verb == "work"
    {
        cost::work(kind, count.parse().unwrap_or(1));
        return Ok(());
    }
    let mut figures = courses::figures();
    figures.extend(cost::figures());
    let mut csv = "figure,value,low,high,bar\n".to_owned();
    for Figure { name, value, interval, bar } in &figures {
        let (low, high) = interval.map_or((String::new(), String::new()), |(l, h)| {
            (format!("{l:.4}"), format!("{h:.4}"))
        });
        println!("{name:58} {value:12.4} [{low}, {high}] {bar}");
        let _ = writeln!(csv, "{name},{value:.4},{low},{high},{bar}");
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/results");
    std::fs::write(format!("{folder}/dynamics.csv"), csv)
}
