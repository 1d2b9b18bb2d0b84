//! A grade as text for people.

use core::fmt::Write as _;

use tropism_ethology::statistics::{Rate, wilson};

use crate::grade::{Attempt, FirstTurn, Grade, Outcome};

fn rate(rate: &Rate) -> String {
    format!(
        "{} of {} ({:.1} %, 95 % interval {:.1} to {:.1} %)",
        rate.successes,
        rate.trials,
        100.0 * rate.share,
        100.0 * rate.interval.low,
        100.0 * rate.interval.high
    )
}

/// Mean and range of a measure over the attempts that have it.
fn measure(out: &mut String, name: &str, grade: &Grade, of: impl Fn(&Attempt) -> Option<f64>) {
    let values: Vec<f64> = grade.attempts.iter().filter_map(of).filter(|x| x.is_finite()).collect();
    if values.is_empty() {
        return;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let _ = writeln!(out, "{name:<22}{mean:>10.3}   {low:.3} to {high:.3}");
}

/// How many attempts turned tightly at all, when half of these had, and to which side.
fn first_turns(out: &mut String, grade: &Grade) {
    let turns: Vec<FirstTurn> = grade.attempts.iter().filter_map(|a| a.first_turn).collect();
    let (all, trials) = (turns.len() as u64, grade.attempts.len() as u64);
    let open = turns.iter().filter(|turn| turn.is_to_open_side).count() as u64;
    let (Some(share), Some(open)) = (wilson(all, trials), wilson(open, all)) else {
        return;
    };
    let mut times: Vec<f64> = turns.iter().map(|turn| turn.at_s).collect();
    times.sort_by(f64::total_cmp);
    let (low, high) = (times[(times.len() - 1) / 2], times[times.len() / 2]);
    let _ = writeln!(out, "first tight turn in   {}", rate(&share));
    let _ = writeln!(out, "  to the open side    {}", rate(&open));
    let _ = writeln!(out, "  median time         {:.2} s", 0.5 * (low + high));
}

/// The grade as text: rates with intervals, measures with their range, and what went wrong.
pub fn describe(grade: &Grade) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{} on {}", grade.controller, grade.task);
    let _ = writeln!(out, "passes when {}", grade.passes_when);
    let _ = writeln!(out, "passed                {}", rate(&grade.passed));
    let _ = writeln!(out, "crashed               {}", rate(&grade.crashed));
    let errors = grade.attempts.iter().filter(|a| a.outcome == Outcome::Error).count() as u64;
    if let Some(share) = wilson(errors, grade.attempts.len() as u64).filter(|_| errors > 0) {
        let _ = writeln!(out, "ended in an error     {}", rate(&share));
    }
    let _ = writeln!(out, "\n{:<22}{:>10}   range", "measure", "mean");
    measure(&mut out, "time s", grade, |a| Some(a.time_s));
    measure(&mut out, "path m", grade, |a| Some(a.path_m));
    measure(&mut out, "turn flips /s", grade, |a| Some(a.flips_per_s));
    measure(&mut out, "least clearance m", grade, |a| Some(a.clearance_m));
    measure(&mut out, "first crash s", grade, |a| a.first_crash_s);
    measure(&mut out, "laps", grade, |a| Some(a.line.as_ref()?.laps));
    measure(&mut out, "line error mean m", grade, |a| Some(a.line.as_ref()?.mean_m));
    measure(&mut out, "line error max m", grade, |a| Some(a.line.as_ref()?.max_m));
    measure(&mut out, "line amplitude m", grade, |a| Some(a.line.as_ref()?.amplitude_m));
    measure(&mut out, "line frequency Hz", grade, |a| Some(a.line.as_ref()?.frequency_hz));
    measure(&mut out, "goal distance m", grade, |a| a.goal_distance_m);
    measure(&mut out, "first tight turn s", grade, |a| Some(a.first_turn?.at_s));
    first_turns(&mut out, grade);
    let failed: Vec<&Attempt> =
        grade.attempts.iter().filter(|a| a.outcome != Outcome::Passed).collect();
    for a in failed.iter().take(5) {
        let _ = writeln!(
            out,
            "start {}: {} at {:.2} s {}",
            a.start,
            a.outcome.name(),
            a.time_s,
            a.message
        );
    }
    if failed.len() > 5 {
        let _ = writeln!(out, "… and {} more that did not pass", failed.len() - 5);
    }
    out
}
