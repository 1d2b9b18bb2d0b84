//! The internal values of an organism by name, in the order of the recorded reference tables.

use tropism_body::Observer;

use crate::organism::Organism;
use crate::physiology::Need;

/// Shows every value of the last tick.
pub(crate) fn observe(organism: &Organism, observer: &mut dyn Observer) {
    senses(organism, observer);
    needs(organism, observer);
    memories(organism, observer);
    reflexes(organism, observer);
    decision(organism, observer);
}

fn senses(organism: &Organism, o: &mut dyn Observer) {
    let s = organism.state();
    let body = organism.body();
    let ph = &s.physiology;
    for (i, spec) in body.sensors.iter().enumerate() {
        let level = if s.senses.is_valid(i) { s.senses.levels[i] } else { f32::NAN };
        o.value("in", Some(spec.name.as_str()), f64::from(level));
    }
    for (i, spec) in body.actuators.iter().enumerate() {
        let value = s.contingency.previous_actuators[i];
        o.value("act", Some(spec.name.as_str()), f64::from(value));
    }
    let costs = body.actuators.iter().zip(&s.contingency.previous_actuators);
    let cost: f32 = costs.map(|(a, v)| tropism_core::math::abs(*v) * a.cost_per_unit).sum();
    o.value("cost", None, f64::from(cost));
    o.value("activity", None, f64::from(ph.activity));
    o.value("spike", None, f64::from(ph.spike));
    o.value("activity_avg", None, f64::from(ph.activity_average));
}

fn needs(organism: &Organism, o: &mut dyn Observer) {
    let s = organism.state();
    let ph = &s.physiology;
    for need in Need::ALL {
        o.value("h", Some(need.name()), f64::from(ph.values[need as usize]));
    }
    for need in Need::ALL {
        o.value("d", Some(need.name()), f64::from(ph.drives[need as usize]));
    }
    o.value("total_drive", None, f64::from(ph.distance));
    o.value("fuzz", None, f64::from(ph.fuzz));
    for (i, spec) in organism.body().sensors.iter().enumerate() {
        o.value("jit", Some(spec.name.as_str()), f64::from(ph.jitter[i]));
    }
    for (i, spec) in organism.body().sensors.iter().enumerate() {
        o.value("hab", Some(spec.name.as_str()), f64::from(ph.habituation[i]));
    }
}

fn memories(organism: &Organism, o: &mut dyn Observer) {
    let s = organism.state();
    let cm = &s.contingency;
    o.value("surprise", None, f64::from(cm.surprise));
    o.value("action_code", None, f64::from(cm.latest.0));
    o.value("sensor_code", None, f64::from(cm.latest.1));
    o.value("ctx", None, f64::from(s.physiology.context()));
    o.value("drive_delta", None, f64::from(cm.latest_relief));
    o.value("cm_slot", None, cm.latest_slot.map_or(-1.0, f64::from));
    o.value("cm_count", None, cm.count() as f64);
    let strength = cm.slots().filter_map(|slot| cm.entry(slot)).map(|e| e.strength);
    o.value("cm_strength_sum", None, f64::from(strength.sum::<f32>()));
    let d = organism.decision();
    o.value("bias_found", None, f64::from(u8::from(d.recall.is_some())));
    o.value("bias_action", None, f64::from(d.recall.map_or(0, |r| r.action)));
    o.value("bias_conf", None, f64::from(d.recall.map_or(0.0, |r| r.confidence)));
    o.value("place_sig", None, f64::from(s.spatial.here));
    o.value("sp_count", None, s.spatial.count() as f64);
    o.value("best_sig", None, f64::from(d.best_place.map_or(0, |b| b.signature)));
    o.value("best_score", None, f64::from(d.best_place.map_or(0.0, |b| b.score)));
    let here = s.spatial.present_place();
    o.value("sp_visits_here", None, f64::from(here.map_or(0, |p| p.visits)));
    o.value("sp_imp_energy_here", None, f64::from(here.map_or(0.0, |p| p.improvement[0])));
}

fn reflexes(organism: &Organism, o: &mut dyn Observer) {
    let rf = &organism.state().reflex;
    o.value("advantage", None, f64::from(rf.advantage));
    o.value("rew_mean", None, f64::from(rf.reward_mean));
    o.value("rew_var", None, f64::from(rf.reward_variance));
    for (i, spec) in organism.body().sensors.iter().enumerate() {
        o.value("mean", Some(spec.name.as_str()), f64::from(rf.means[i]));
    }
    let d = organism.decision();
    for (j, spec) in organism.body().actuators.iter().enumerate() {
        o.value("reflex", Some(spec.name.as_str()), f64::from(d.reflex[j]));
    }
    let (weights, traces) = rf.magnitudes();
    o.value("w_abs_sum", None, f64::from(weights));
    o.value("e_abs_sum", None, f64::from(traces));
}

fn decision(organism: &Organism, o: &mut dyn Observer) {
    let d = organism.decision();
    o.value("keep", None, f64::from(d.keep));
    o.value("nudge", None, f64::from(d.nudge));
    for (j, spec) in organism.body().actuators.iter().enumerate() {
        o.value("explore", Some(spec.name.as_str()), f64::from(d.explore[j]));
    }
    for (j, spec) in organism.body().actuators.iter().enumerate() {
        o.value("bias", Some(spec.name.as_str()), f64::from(d.bias[j]));
    }
    for (j, spec) in organism.body().actuators.iter().enumerate() {
        o.value("target", Some(spec.name.as_str()), f64::from(d.target[j]));
    }
}
