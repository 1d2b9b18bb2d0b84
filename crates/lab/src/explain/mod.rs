//! How a traced run ended, and what stands out in it.
//!
//! Terms: the *ending* is what the trace itself holds of its last tick; a *finding* is one fault
//! with the ticks that show it; *flips* are changes of sign of the turn command. Only an empty
//! battery away from a station is a death.
//!
//! What it does not do: it simulates nothing. It reads the first robot, and only what the trace
//! holds: findings that need a channel the body lacks are not looked for.

use core::fmt::Write as _;
use std::path::Path;

use crate::error::LabError;
use crate::trace::{Frame, TraceReader};

mod ending;

pub use ending::Ending;

/// Notes shown at the end.
const NOTES_SHOWN: usize = 5;

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Sweeps left and right in one place in front of something.
    CornerOscillation,
    /// Changes its state every few ticks.
    Chatter,
    /// Followed tape and lost it for good.
    LostLine,
    /// Came no nearer to its goal.
    UnreachedGoal,
    /// A range that fell to almost nothing for a moment.
    SensorArtefact,
    /// Touched something.
    Crash,
}

impl Fault {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CornerOscillation => "corner oscillation",
            Self::Chatter => "chatter",
            Self::LostLine => "lost line",
            Self::UnreachedGoal => "unreached goal",
            Self::SensorArtefact => "sensor artefact",
            Self::Crash => "crash",
        }
    }
}

/// A fault at some ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is.
    pub fault: Fault,
    /// First and last tick that show it.
    pub ticks: (u64, u64),
    /// What was seen.
    pub text: String,
}

/// The numbers of a run that faults show in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Story {
    /// Seconds of a tick.
    pub step_s: f64,
    /// Positions, m.
    pub at: Vec<(f64, f64)>,
    /// Turn commands, positive to the left.
    pub turn: Vec<f64>,
    /// True while both wheels stand still.
    pub still: Vec<bool>,
    /// Number of the module in control.
    pub module: Vec<u32>,
    /// Front range, m; infinite where nothing was heard. Empty when the body has no such channel.
    pub front: Vec<f64>,
    /// A line sensor saw tape. Empty when the body has no such channel.
    pub line: Vec<bool>,
    /// Distance to the goal, m; infinite where there was no reading. Empty when the body has no
    /// such channel.
    pub goal: Vec<f64>,
    /// Bumper. Empty when the body has no such channel.
    pub bump: Vec<bool>,
    /// Charge share of the battery.
    pub charge: Vec<f64>,
    /// On a charging station.
    pub docked: Vec<bool>,
    /// Ticks at which the only life is cut off; 0 where that is not known.
    pub cap_ticks: u64,
    /// What the mind said, and its changes of state with their causes, by tick.
    pub notes: Vec<(u64, String)>,
}

impl Story {
    /// The note that comes most often in these ticks, and how often; of equals the first.
    fn commonest_note(&self, (from, to): (u64, u64)) -> Option<(&str, usize)> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for (tick, text) in &self.notes {
            if (from..=to).contains(tick) {
                match counts.iter_mut().find(|(known, _)| known == text) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((text, 1)),
                }
            }
        }
        counts.into_iter().rev().max_by_key(|(_, count)| *count)
    }
}

/// Reads the first robot of a trace.
///
/// # Errors
/// [`LabError`] when the file is no trace or is damaged.
pub fn read(path: &Path) -> Result<Story, LabError> {
    let mut reader = TraceReader::open(path)?;
    let names = reader.header.names.clone();
    let column = |name: &str| {
        let several = format!("robot0/{name}");
        names.iter().position(|n| *n == name || *n == several)
    };
    let (numerator, denominator) = reader.header.step;
    let mut story = Story {
        step_s: f64::from(numerator) / f64::from(denominator.max(1)),
        cap_ticks: if reader.header.lives == 1 { reader.header.cap_ticks } else { 0 },
        ..Story::default()
    };
    let place = (column("x_m"), column("y_m"), column("module"));
    let wheels = (column("actuator_wheel_left"), column("actuator_wheel_right"));
    let lines = (column("sensor_line_left"), column("sensor_line_right"));
    let (front, goal) = (column("sensor_ultrasonic_front"), column("sensor_goal_range"));
    let bump = column("sensor_bump");
    let (charge, docked) = (column("charge"), column("is_docked"));
    let mut frame = Frame::default();
    while reader.next_into(&mut frame)? {
        let get = |i: Option<usize>| i.and_then(|i| frame.values.get(i)).copied();
        story.at.push((get(place.0).unwrap_or(0.0), get(place.1).unwrap_or(0.0)));
        story.module.push(get(place.2).unwrap_or(0.0) as u32);
        let (left, right) = (get(wheels.0).unwrap_or(0.0), get(wheels.1).unwrap_or(0.0));
        story.turn.push(0.5 * (right - left));
        story.still.push(left == 0.0 && right == 0.0);
        if let Some(x) = get(front) {
            story.front.push(if x.is_nan() { f64::INFINITY } else { x });
        }
        if let (Some(l), Some(r)) = (get(lines.0), get(lines.1)) {
            story.line.push(l > 0.5 || r > 0.5);
        }
        story.goal.extend(get(goal).map(|x| if x.is_nan() { f64::INFINITY } else { x }));
        story.bump.extend(get(bump).map(|x| x > 0.5));
        story.charge.extend(get(charge));
        story.docked.extend(get(docked).map(|x| x > 0.5));
    }
    let own = reader.take_notes().into_iter().filter(|note| note.robot == 0);
    story.notes = own.map(|note| (note.tick, note.text)).collect();
    Ok(story)
}

/// Every fault found, those that last until the end first.
pub fn explain(story: &Story) -> Vec<Finding> {
    let found = [
        crash(story),
        corner(story),
        chatter(story),
        lost_line(story),
        artefact(story),
        unreached(story),
    ];
    let mut found: Vec<Finding> = found.into_iter().flatten().collect();
    // What lasts until the end comes first; the order above decides between several. A goal that
    // was not reached follows from another fault, if there is one.
    let end = story.at.len() as u64;
    let margin = (2.0 / story.step_s.max(1e-6)) as u64;
    found.sort_by_key(|f| (f.fault == Fault::UnreachedGoal, f.ticks.1 + margin < end));
    found
}

/// Six flips or more in one place: within 30 cm, and something ahead nearer than 50 cm.
fn corner(story: &Story) -> Option<Finding> {
    const FLIPS: usize = 6;
    let mut flips: Vec<usize> = Vec::new();
    let mut side = 0.0;
    for (t, turn) in story.turn.iter().enumerate() {
        if turn.abs() > 0.02 {
            if side * turn < 0.0 {
                flips.push(t);
            }
            side = *turn;
        }
    }
    let gap = (6.0 / story.step_s.max(1e-6)) as usize;
    let is_sweep = |w: &[usize]| {
        let (first, last) = (w[0], w[FLIPS - 1]);
        let (x, y) = story.at[first];
        let in_place = story.at[first..=last].iter().all(|(u, v)| (u - x).hypot_of(v - y) < 0.3);
        let has_wall = story.front.get(first..=last).is_some_and(|f| f.iter().any(|d| *d < 0.5));
        let is_steady = w.windows(2).all(|p| p[1] - p[0] < gap);
        in_place && has_wall && is_steady
    };
    let windows: Vec<&[usize]> = flips.windows(FLIPS).filter(|w| is_sweep(w)).collect();
    let (first, last) = (*windows.first()?.first()?, *windows.last()?.last()?);
    let count = flips.iter().filter(|t| (first..=last).contains(*t)).count();
    let every = (last - first) as f64 * story.step_s / (count.max(2) - 1) as f64;
    if every < 0.1 {
        // Faster than a body can sweep: chatter.
        return None;
    }
    let near = story.front.get(first..=last).unwrap_or(&[]);
    let (low, high) = quantiles(near);
    let text = format!(
        "{count} changes of turning side within 30 cm, one every {every:.2} s; front range \
        {low:.2} \
         to {high:.2} m (5 % to 95 %)"
    );
    Some(Finding { fault: Fault::CornerOscillation, ticks: (first as u64, last as u64), text })
}

fn quantiles(values: &[f64]) -> (f64, f64) {
    let mut finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    finite.sort_by(f64::total_cmp);
    let at = |q: usize| finite.get((finite.len().max(1) - 1) * q / 100).copied().unwrap_or(0.0);
    (at(5), at(95))
}

/// Ten changes of module or turning side within a second.
fn chatter(story: &Story) -> Option<Finding> {
    const CHANGES: usize = 10;
    let second = (1.0 / story.step_s.max(1e-6)) as usize;
    let modules = story.module.windows(2).enumerate().filter(|(_, w)| w[0] != w[1]);
    let by_module: Vec<usize> = modules.map(|(t, _)| t + 1).collect();
    let sides = story.turn.windows(2).enumerate().filter(|(_, w)| w[0] * w[1] < -4e-4);
    let by_side: Vec<usize> = sides.map(|(t, _)| t + 1).collect();
    for (changes, what) in [(by_module, "changes of state"), (by_side, "changes of turning side")] {
        let fast = |w: &&[usize]| w[CHANGES - 1] - w[0] <= second;
        let windows: Vec<&[usize]> = changes.windows(CHANGES).filter(fast).collect();
        if let (Some(first), Some(last)) = (windows.first(), windows.last()) {
            let ticks = (first[0] as u64, last[CHANGES - 1] as u64);
            let count =
                changes.iter().filter(|t| (ticks.0..=ticks.1).contains(&(**t as u64))).count();
            let mut text = format!(
                "{count} {what} in {} ticks; a pair of thresholds or a minimum time would hold",
                ticks.1 - ticks.0 + 1
            );
            if let Some((note, times)) = story.commonest_note(ticks) {
                let _ = write!(text, "; {times} times: {note}");
            }
            return Some(Finding { fault: Fault::Chatter, ticks, text });
        }
    }
    None
}

/// Tape was seen, and then not for the last two seconds or more.
fn lost_line(story: &Story) -> Option<Finding> {
    let last = story.line.iter().rposition(|is_on| *is_on)?;
    let end = story.line.len() - 1;
    let without_s = (end - last) as f64 * story.step_s;
    if without_s < 2.0 {
        return None;
    }
    let stopped = story.still.last().copied().unwrap_or(false);
    let after = if stopped { "then it stood still" } else { "it still drives" };
    let mut text = format!("no tape under the sensors for the last {without_s:.1} s; {after}");
    if let Some((tick, note)) = story.notes.iter().rev().find(|(t, _)| *t > last as u64) {
        let _ = write!(text, "; at tick {tick}: {note}");
    }
    Some(Finding { fault: Fault::LostLine, ticks: (last as u64 + 1, end as u64), text })
}

/// A range that falls below 6 cm for three ticks at most between ranges over 50 cm.
fn artefact(story: &Story) -> Option<Finding> {
    let mut bursts = Vec::new();
    let mut t = 1;
    while t < story.front.len() {
        if story.front[t] < 0.06 && story.front[t - 1] > 0.5 {
            let len = story.front[t..].iter().take_while(|d| **d < 0.06).count();
            let after = story.front.get(t + len).copied().unwrap_or(0.0);
            if len <= 3 && after > 0.5 {
                bursts.push((t, t + len - 1));
            }
            t += len;
        }
        t += 1;
    }
    let (first, last) = (bursts.first()?, bursts.last()?);
    let text = format!(
        "{} bursts of at most 3 readings below 6 cm between ranges over 50 cm, the first at tick \
        {}; \
         a confirmation time would hold them off",
        bursts.len(),
        first.0
    );
    Some(Finding { fault: Fault::SensorArtefact, ticks: (first.0 as u64, last.1 as u64), text })
}

/// The goal came no nearer for the last 20 seconds, or the last half of the run. A robot that saw
/// tape for more than a twentieth of the run follows tape and seeks no goal.
fn unreached(story: &Story) -> Option<Finding> {
    let on_tape = story.line.iter().filter(|is_on| **is_on).count();
    if on_tape * 20 > story.line.len() {
        return None;
    }
    let (best_at, best) = story.goal.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1))?;
    let end = story.goal.len() - 1;
    let waited_s = (end - best_at) as f64 * story.step_s;
    if !best.is_finite()
        || *best <= ending::GOAL_M
        || (waited_s < 20.0 && (end - best_at) * 2 < end)
        || story.goal.len() < 2
    {
        return None;
    }
    let text = format!(
        "the goal was never nearer than {best:.2} m, at tick {best_at}; in the {waited_s:.1} s \
        since \
         then it came no nearer"
    );
    Some(Finding { fault: Fault::UnreachedGoal, ticks: (best_at as u64, end as u64), text })
}

fn crash(story: &Story) -> Option<Finding> {
    let first = story.bump.iter().position(|b| *b)?;
    let last = story.bump.iter().rposition(|b| *b)?;
    let share = story.bump.iter().filter(|b| **b).count() as f64 / story.bump.len() as f64;
    let text = format!("the bumper was pressed for {:.1} % of the run", 100.0 * share);
    Some(Finding { fault: Fault::Crash, ticks: (first as u64, last as u64), text })
}

/// Length of a pair of legs.
trait Legs {
    fn hypot_of(self, other: f64) -> f64;
}

impl Legs for f64 {
    fn hypot_of(self, other: f64) -> f64 {
        tropism_core::math::f64::hypot(self, other)
    }
}

/// The ending and then the findings as text; says so when there are none.
pub fn describe(story: &Story, findings: &[Finding]) -> String {
    let seconds = story.at.len() as f64 * story.step_s;
    let mut out = format!("{} ticks, {seconds:.1} s\n{}\n", story.at.len(), story.ending());
    if findings.is_empty() {
        out.push_str("nothing that looks like a fault\n");
    }
    let lasts = &story.notes[story.notes.len().saturating_sub(NOTES_SHOWN)..];
    for f in findings {
        let (from, to) = f.ticks;
        let _ = writeln!(out, "stands out: {}, ticks {from} to {to}: {}", f.fault.name(), f.text);
    }
    if !lasts.is_empty() {
        let _ = writeln!(out, "the last of {} notes:", story.notes.len());
    }
    for (tick, text) in lasts {
        let _ = writeln!(out, "  tick {tick}: {text}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story(ticks: usize, turn: impl Fn(usize) -> f64) -> Story {
        Story {
            step_s: 0.01,
            at: vec![(1.0, 1.0); ticks],
            turn: (0..ticks).map(turn).collect(),
            still: vec![false; ticks],
            module: vec![0; ticks],
            ..Story::default()
        }
    }

    #[test]
    fn unit_each_fault_is_named_and_a_sound_run_has_none() {
        assert_eq!(explain(&story(6_000, |_| 0.1)), Vec::new());
        let sweep = |t: usize| if (t / 120).is_multiple_of(2) { 0.3 } else { -0.3 };
        let mut corner = story(6_000, sweep);
        corner.front = (0..6_000).map(|t| 0.18 + 0.17 * (f64::from(t % 120) / 120.0)).collect();
        let found = explain(&corner);
        assert_eq!(found[0].fault, Fault::CornerOscillation);
        assert!(found[0].text.contains("one every 1.20 s"), "{}", found[0].text);
        let mut chatter = story(6_000, |_| 0.1);
        chatter.module = (0..6_000).map(|t| (t / 3 % 2) as u32).collect();
        assert_eq!(explain(&chatter)[0].fault, Fault::Chatter);
        chatter.notes = vec![(3, "A → B: near".into()), (6, "B → A: free".into())];
        chatter.notes.push((9, "A → B: near".into()));
        assert!(explain(&chatter)[0].text.ends_with("2 times: A → B: near"));
        let mut lost = story(6_000, |_| 0.1);
        lost.line = (0..6_000).map(|t| t < 5_000).collect();
        assert_eq!(
            (explain(&lost)[0].fault, explain(&lost)[0].ticks),
            (Fault::LostLine, (5_000, 5_999))
        );
        let mut burst = story(6_000, |_| 0.1);
        burst.front = (0..6_000).map(|t| if t % 1_000 < 2 && t > 0 { 0.03 } else { 1.5 }).collect();
        assert_eq!(explain(&burst)[0].fault, Fault::SensorArtefact);
        let mut goal = story(6_000, |_| 0.1);
        goal.goal =
            (0..6_000).map(|t| if t < 1_000 { 3.0 - f64::from(t) * 0.001 } else { 2.5 }).collect();
        assert_eq!(explain(&goal)[0].fault, Fault::UnreachedGoal);
        let mut hit = story(600, |_| 0.1);
        hit.bump = (0..600).map(|t| t > 590).collect();
        assert_eq!((explain(&hit)[0].fault, explain(&hit)[0].ticks), (Fault::Crash, (591, 599)));
    }
}
