//! What they did: time budgets, places, transitions, bouts.

use tropism_core::TimeStep;
use tropism_core::math::f64 as math;
use tropism_ethology::plot::{self, BudgetBar, Mark, PlotError, Series, Svg};
use tropism_ethology::report::Report;
use tropism_scenario::Experiment;

use super::{first_robots, with_figure};
use crate::behaviour::{BEHAVIOURS, Chain, DURATION_CLASSES};
use crate::life::{RobotRecord, RunRecord};
use crate::metrics::{Coverage, LifeRecord};
use crate::single;

fn sum(robots: &[&RobotRecord], chain: impl Fn(&LifeRecord) -> &Chain) -> Chain {
    let mut total = Chain::default();
    robots.iter().flat_map(|r| &r.lives).for_each(|life| total.add(chain(life)));
    total
}

fn shares(chain: &Chain) -> Vec<f64> {
    let total = chain.ticks.iter().sum::<u64>().max(1) as f64;
    chain.ticks.iter().map(|t| *t as f64 / total).collect()
}

/// Budgets of all conditions side by side.
pub(super) fn comparison(
    mut report: Report,
    experiment: &Experiment,
    records: &[RunRecord],
) -> Report {
    report = report.section("Time budgets");
    let names: Vec<&str> = experiment.conditions.iter().map(|c| c.name.as_str()).collect();
    let robots: Vec<_> = names.iter().map(|name| first_robots(records, name)).collect();
    let seen: Vec<_> = robots.iter().map(|r| shares(&sum(r, |life| &life.behaviour))).collect();
    let bars: Vec<_> = (names.iter().zip(&seen))
        .filter(|(_, shares)| shares.len() == BEHAVIOURS.len())
        .map(|(name, shares)| BudgetBar { name, shares })
        .collect();
    let caption = "Observed behaviour over all lives.";
    report = with_figure(report, plot::time_budget(&BEHAVIOURS, &bars), caption);
    // Minds of one kind share a figure: their modules have the same names.
    let mut kinds: Vec<&[String]> = Vec::new();
    for robot in robots.iter().filter_map(|r| r.first()) {
        if robot.modules.len() > 1 && !kinds.contains(&robot.modules.as_slice()) {
            kinds.push(&robot.modules);
        }
    }
    for kind in kinds {
        let of_kind = |r: &&Vec<&RobotRecord>| r.first().is_some_and(|r| r.modules == kind);
        let modules: Vec<_> =
            (robots.iter().filter(of_kind)).map(|r| shares(&sum(r, |life| &life.module))).collect();
        let named = names.iter().zip(&robots).filter(|(_, r)| of_kind(r)).map(|(name, _)| name);
        let bars: Vec<_> =
            (named.zip(&modules)).map(|(name, shares)| BudgetBar { name, shares }).collect();
        let states: Vec<&str> = kind.iter().map(String::as_str).collect();
        let caption = "Module in control: the one with most say in the command.";
        report = with_figure(report, plot::time_budget(&states, &bars), caption);
    }
    report
}

/// Places, transitions and bouts of one condition.
pub(super) fn one(mut report: Report, experiment: &Experiment, robots: &[&RobotRecord]) -> Report {
    let behaviour = sum(robots, |life| &life.behaviour);
    let mut coverage: Option<Coverage> = None;
    for robot in robots {
        let sum = coverage.get_or_insert_with(|| Coverage {
            ticks: vec![0; robot.coverage.ticks.len()],
            ..robot.coverage.clone()
        });
        for (sum, ticks) in sum.ticks.iter_mut().zip(&robot.coverage.ticks) {
            *sum = sum.saturating_add(*ticks);
        }
    }
    let step = experiment.scenario.step;
    if let Some(coverage) = &coverage {
        let room = &experiment.scenario.world.room;
        let caption = "Time per cell of 0.1 m over all lives, in s, on a logarithmic scale; empty \
                       cells were never visited.";
        report = with_figure(report, single::heat(room, coverage, step), caption);
    }
    if behaviour.size() == BEHAVIOURS.len() {
        let caption = "Transitions between behaviours: probability of the next given the present, \
                       and count. A frame marks transitions clearly more frequent than chance.";
        report = with_figure(report, plot::transition_matrix(&behaviour.transitions()), caption);
        let caption = "Log-survivorship of the bouts, from classes that double in length: share \
                       of a behaviour's bouts at least as long, over the logarithm of the length. \
                       Behaviours with fewer than 30 bouts are left out.";
        report = with_figure(report, bouts(&behaviour, step), caption);
    }
    report
}

/// Survivorship at the lower ends of the duration classes: (log10 s, ln share).
pub(super) fn survivorship(chain: &Chain, state: usize, step: TimeStep) -> Vec<(f64, f64)> {
    let classes = &chain.durations[state * DURATION_CLASSES..(state + 1) * DURATION_CLASSES];
    let total: u64 = classes.iter().sum();
    let mut longer = total;
    let mut points = Vec::new();
    for (class, count) in classes.iter().enumerate() {
        if longer == 0 {
            break;
        }
        let seconds = f64::from(step.seconds()) * (1_u64 << class) as f64;
        let share = longer as f64 / total as f64;
        points.push((math::ln(seconds) / core::f64::consts::LN_10, math::ln(share)));
        longer -= count;
    }
    points
}

fn bouts(chain: &Chain, step: TimeStep) -> Result<Svg, PlotError> {
    let lines: Vec<_> = (0..chain.size())
        .map(|state| {
            let from = state * DURATION_CLASSES;
            let count: u64 = chain.durations[from..from + DURATION_CLASSES].iter().sum();
            if count < 30 { Vec::new() } else { survivorship(chain, state, step) }
        })
        .collect();
    let series: Vec<_> = (BEHAVIOURS.iter().zip(&lines))
        .filter(|(_, points)| points.len() > 1)
        .map(|(name, points)| Series { name, points, band: &[], mark: Mark::LineAndPoints })
        .collect();
    plot::xy(&series, "log10 of bout duration (s)", "ln share of bouts at least as long")
}
