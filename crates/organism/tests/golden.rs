//! Goal: every rule of the organism equals the recorded reference.
//! Method: the recorded sensors and actuator values of 2,000 ticks go through the modules in the
//! reference's order; every recorded column is compared.

use tropism_organism::contingency::{Contingency, Situation};
use tropism_organism::parameters::OrganismParameters;
use tropism_organism::physiology::{Need, Physiology, PhysiologyMode, Strain};
use tropism_organism::reflex::Reflex;
use tropism_organism::senses::Senses;
use tropism_organism::spatial::Spatial;
use tropism_testkit::table::Table;

const SENSORS: [&str; 7] = ["battery", "mic", "light_l", "light_r", "bump", "ir", "rssi"];
const ACTUATORS: [&str; 5] = ["wheel_l", "wheel_r", "head", "led", "buzzer"];
const COSTS: [f32; 5] = [1.0, 1.0, 0.2, 0.1, 0.1];
const DT: f32 = 0.05;

struct Model {
    senses: Senses,
    physiology: Physiology,
    contingency: Contingency,
    spatial: Spatial,
    reflex: Reflex,
}

/// Differences found, by column, with the first row.
struct Report {
    lines: Vec<String>,
}

impl Report {
    fn near(&mut self, golden: &Table, row: usize, column: &str, value: f32, tolerance: f64) {
        let expected = golden.number(row, column);
        let error = (f64::from(value) - expected).abs();
        if (error.is_nan() || error > tolerance)
            && !self.lines.iter().any(|l| l.starts_with(&format!("{column}:")))
        {
            self.lines.push(format!("{column}: row {row}: {value} instead of {expected}"));
        }
    }

    fn relative(&mut self, golden: &Table, row: usize, column: &str, value: f32) {
        let expected = golden.number(row, column);
        self.near(golden, row, column, value, 1e-3 * expected.abs() + 1e-9);
    }

    fn exact(&mut self, golden: &Table, row: usize, column: &str, value: i64) {
        let expected = golden.number(row, column) as i64;
        if value != expected && !self.lines.iter().any(|l| l.starts_with(&format!("{column}:"))) {
            self.lines.push(format!("{column}: row {row}: {value} instead of {expected}"));
        }
    }
}

#[test]
fn golden_two_thousand_ticks_equal_the_reference() {
    let Some(path) = tropism_testkit::shared_file("golden/organism/physiology.csv.xz") else {
        return;
    };
    let golden = Table::read(&path);
    assert_eq!(golden.rows.len(), 2000);
    let mut model = Model {
        senses: Senses::new(7),
        physiology: Physiology::default(),
        contingency: Contingency::default(),
        spatial: Spatial::default(),
        reflex: Reflex::new(7, 5, 0.0),
    };
    let mut report = Report { lines: Vec::new() };
    for row in 0..2000 {
        tick(&golden, row, &mut model, &mut report);
    }
    assert!(report.lines.is_empty(), "{}", report.lines.join("\n"));
}

fn tick(golden: &Table, row: usize, m: &mut Model, report: &mut Report) {
    let p = OrganismParameters::reference();
    for (i, name) in SENSORS.iter().enumerate() {
        m.senses.levels[i] = golden.number(row, &format!("in_{name}")) as f32;
    }
    m.senses.valid = 0x7f;
    let actuators: Vec<f32> =
        ACTUATORS.iter().map(|n| golden.number(row, &format!("act_{n}")) as f32).collect();
    let mut cost = 0.0;
    for (value, unit) in actuators.iter().zip(COSTS) {
        cost += value.abs() * unit;
    }
    if row == 1300 {
        m.physiology.values[Need::Fatigue as usize] = 0.9;
    }
    if row == 1750 {
        m.physiology.values[Need::Safety as usize] = 0.35;
    }
    let strain =
        Strain { energy_level: Some(m.senses.levels[0]), cost, surprise: m.contingency.surprise };
    let mode = PhysiologyMode { is_adapting: true, is_flattened: false };
    m.physiology.update((&p.physiology, &p.drives), mode, DT, &m.senses, strain);
    let now = Situation {
        senses: &m.senses,
        actuators: &actuators,
        context: m.physiology.context(),
        distance: m.physiology.distance,
    };
    m.contingency.update(&p.contingency, now, false);
    m.spatial.update(&p.spatial, &m.senses, &m.physiology.drives);
    report.near(golden, row, "cost", cost, 1e-5);
    compare_physiology(golden, row, m, report);
    compare_memories(golden, row, m, report);
    compare_reflexes(golden, row, m, report);
}

fn compare_physiology(golden: &Table, row: usize, m: &Model, report: &mut Report) {
    let ph = &m.physiology;
    for (column, value) in [
        ("activity", ph.activity),
        ("spike", ph.spike),
        ("activity_avg", ph.activity_average),
        ("total_drive", ph.distance),
        ("fuzz", ph.fuzz),
        ("jit_mic", ph.jitter[1]),
        ("jit_light_l", ph.jitter[2]),
        ("hab_bump", ph.habituation[4]),
        ("surprise", m.contingency.surprise),
        ("drive_delta", m.contingency.latest_relief),
    ] {
        report.near(golden, row, column, value, 1e-5);
    }
    for need in Need::ALL {
        let i = need as usize;
        report.near(golden, row, &format!("h_{}", need.name()), ph.values[i], 1e-5);
        report.near(golden, row, &format!("d_{}", need.name()), ph.drives[i], 1e-5);
    }
}

fn compare_memories(golden: &Table, row: usize, m: &Model, report: &mut Report) {
    let cm = &m.contingency;
    report.exact(golden, row, "action_code", cm.latest.0.into());
    report.exact(golden, row, "sensor_code", cm.latest.1.into());
    if row > 0 {
        report.exact(golden, row, "ctx", m.physiology.context().into());
    }
    report.exact(golden, row, "cm_slot", cm.latest_slot.map_or(-1, i64::from));
    report.exact(golden, row, "cm_count", cm.count() as i64);
    let sum: f32 = cm.slots().filter_map(|s| cm.entry(s)).map(|e| e.strength).sum();
    report.near(golden, row, "cm_strength_sum", sum, 1e-4);
    let recall = cm.recall();
    report.exact(golden, row, "bias_found", recall.is_some().into());
    report.exact(golden, row, "bias_action", recall.map_or(0, |r| r.action.into()));
    report.near(golden, row, "bias_conf", recall.map_or(0.0, |r| r.confidence), 1e-5);
    let best = m.spatial.best(&m.physiology.drives);
    report.exact(golden, row, "place_sig", m.spatial.here.into());
    report.exact(golden, row, "sp_count", m.spatial.count() as i64);
    report.exact(golden, row, "best_sig", best.map_or(0, |b| b.signature.into()));
    report.near(golden, row, "best_score", best.map_or(0.0, |b| b.score), 1e-5);
    let here = m.spatial.present_place();
    report.exact(golden, row, "sp_visits_here", here.map_or(0, |h| h.visits.into()));
    let improvement = here.map_or(0.0, |h| h.improvement[0]);
    report.near(golden, row, "sp_imp_energy_here", improvement, 1e-5);
}

fn compare_reflexes(golden: &Table, row: usize, m: &mut Model, report: &mut Report) {
    let p = OrganismParameters::reference().reflex;
    m.reflex.learn(&p, DT, m.physiology.distance, true);
    let proposal = m.reflex.propose(&p, DT, &m.senses, &m.physiology.drives);
    let mut taken = [0.0; 16];
    for (j, taken) in taken.iter_mut().enumerate().take(5) {
        let size = if j < 3 { 0.3 } else { 0.15 };
        *taken = if (row + 7 * j) / 30 % 2 == 1 { -size } else { size };
    }
    m.reflex.record(tropism_core::math::exp(-DT / p.trace_s), &taken);
    report.relative(golden, row, "advantage", m.reflex.advantage);
    report.near(golden, row, "rew_mean", m.reflex.reward_mean, 1e-5);
    report.relative(golden, row, "rew_var", m.reflex.reward_variance);
    report.near(golden, row, "mean_light_l", m.reflex.means[2], 1e-5);
    for (j, name) in ACTUATORS.iter().enumerate() {
        report.near(golden, row, &format!("reflex_{name}"), proposal[j], 1e-5);
    }
    let (weights, traces) = m.reflex.magnitudes();
    report.relative(golden, row, "w_abs_sum", weights);
    report.relative(golden, row, "e_abs_sum", traces);
    report.near(golden, row, "w_energy_light_l_wheel_r", m.reflex.weight(1, 2, 1), 1e-5);
    report.near(golden, row, "w_always_bias_wheel_l", m.reflex.weight(0, 7, 0), 1e-5);
}
