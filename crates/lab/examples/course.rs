//! The course's figures: pen, bug worlds, line table, wall weave, cost.
//!
//! `cargo run --release -p tropism-lab --example course -- PART [ARGUMENT]`, where a part is
//! `pen RUNS [FOLDER]` (the figure goes to the folder), `causes RUNS`, `gains SETS`,
//! `bugs FOLDER` (of text maps),
//! `rough RUNS [FIRST SEED]`, `line`, `wall` or `cost TICKS [CONTROLLER]`;
//! `scenarios/course/README.md` holds what it prints.
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use core::error::Error;
use std::path::{Path, PathBuf};

use tropism_lab::course::{bugs, cost, gains, line, pen, rough, wall};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let part = words.next().unwrap_or_default();
    let argument = words.next();
    let number = argument.as_deref().and_then(|n| n.parse().ok());
    match part.as_str() {
        "pen" => {
            print!("{}", pen::report(number.unwrap_or(100))?);
            if let Some(folder) = words.next().map(PathBuf::from) {
                std::fs::write(folder.join("pen.svg"), pen::figure_eight()?)?;
            }
        }
        "causes" => print!("{}", pen::causes(number.unwrap_or(100))?),
        "gains" => print!("{}", gains::report(number.unwrap_or(500))?),
        "bugs" => {
            let folder = argument.ok_or("name the folder of the text maps")?;
            print!("{}", bugs::report(Path::new(&folder))?);
        }
        "rough" => {
            let first = words.next().and_then(|n| n.parse().ok()).unwrap_or(0);
            print!("{}", rough::report(number.unwrap_or(100), first)?);
        }
        "line" => print!("{}", line::report()?),
        "wall" => print!("{}", wall::report()?),
        "cost" => print!("{}", cost::run(number.unwrap_or(20_000), words.next().as_deref())?),
        other => {
            return Err(format!(
                "`{other}` is none of pen, causes, gains, bugs, rough, line, wall, cost"
            )
            .into());
        }
    }
    Ok(())
}
