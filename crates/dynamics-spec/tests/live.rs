//! Editing a network while it runs, and looking inside.

use tropism_dynamics_spec::live::Live;
use tropism_dynamics_spec::trace::Recorder;
use tropism_dynamics_spec::{Options, compile_text, document};

const SPEC: &str = include_str!("../../../scenarios/dynamics/taxis.toml");

#[test]
fn unit_an_edited_text_takes_over_at_the_next_tick_and_keeps_the_state() {
    let mut live = Live::<f64>::new("taxis.toml", SPEC, Options::default()).unwrap();
    let v = |live: &Live<f64>| live.network.value(live.compiled().slot("L0.v").unwrap());
    (0..100).for_each(|_| live.network.tick(&[2.0, 0.0], &[1.0]));
    let before = v(&live);
    assert!((before - 0.8).abs() < 1e-3);
    live.offer(&SPEC.replace("value = 0.8", "value = 0.4")).unwrap();
    // Not before the tick is over.
    assert!((v(&live) - before).abs() < 1e-15);
    assert!(live.take_over());
    assert!((v(&live) - before).abs() < 1e-15 && live.network.now().0 == 100);
    live.network.tick(&[2.0, 0.0], &[1.0]);
    assert!(v(&live) < before - 0.05);
    (0..100).for_each(|_| live.network.tick(&[2.0, 0.0], &[1.0]));
    assert!((v(&live) - 0.4).abs() < 1e-3);
}

#[test]
fn unit_a_faulty_edit_is_refused_and_the_old_network_runs_on() {
    let mut live = Live::<f32>::new("taxis.toml", SPEC, Options::default()).unwrap();
    let mut other = Live::<f32>::new("taxis.toml", SPEC, Options::default()).unwrap();
    for tick in 0..60 {
        if tick == 20 {
            let refused = live.offer(&SPEC.replace("cos(target", "csi(target")).unwrap_err();
            assert!(refused.to_string().contains("did you mean"), "{refused}");
        }
        assert!(!live.take_over());
        live.network.tick(&[1.0, 0.3], &[1.0]);
        other.network.tick(&[1.0, 0.3], &[1.0]);
        assert_eq!(live.network.hash(), other.network.hash());
    }
}

#[test]
fn determinism_watching_does_not_change_what_is_watched() {
    let compiled = compile_text("taxis.toml", SPEC, Options::default()).unwrap();
    let (mut seen, mut unseen) = (compiled.network::<f32>(), compiled.network::<f32>());
    let mut recorder = Recorder::new(&compiled);
    for tick in 0..50 {
        let readings = [1.0 - tick as f32 * 0.02, 0.5];
        seen.tick_observed(&readings, &[1.0], &mut recorder);
        recorder.take(&seen);
        unseen.tick(&readings, &[1.0]);
    }
    assert_eq!(seen.hash(), unseen.hash());
    let lines: Vec<String> = recorder.to_csv().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 51);
    let width = lines[0].split(',').count();
    assert!(lines.iter().all(|l| l.split(',').count() == width));
    for channel in [
        "mode.m_taxis",
        "L0.target_distance.age",
        "L0.taxis.alpha",
        "L0.taxis.m_taxis.T",
        "L0.taxis.m_taxis.change",
        "L0.taxis.v.g",
        "L0.taxis.v.weight",
        "L0.v",
    ] {
        assert!(recorder.channel(channel).is_some(), "{channel}");
    }
}

/// Every recorded activation is the sum of its recorded parts.
#[test]
fn unit_why_active_accounts_for_every_change() {
    let compiled = compile_text("taxis.toml", SPEC, Options::default()).unwrap();
    let mut network = compiled.network::<f64>();
    let mut recorder = Recorder::new(&compiled);
    for tick in 0..100 {
        let mode = if tick < 60 { 1.0 } else { 0.0 };
        network.tick_observed(&[1.0, 0.0], &[mode], &mut recorder);
        recorder.take(&network);
    }
    for tick in 0..100 {
        let why = recorder.why("L0.taxis", tick).unwrap();
        let sum = why.before + why.parts.iter().map(|p| p.change).sum::<f64>() + why.decay;
        assert!((sum.clamp(0.0, 1.0) - why.after).abs() < 1e-12, "{why}");
        assert_eq!(why.is_unused, tick >= 60);
    }
    let shown = recorder.why("L0.taxis", 3).unwrap().to_string();
    assert!(shown.contains("m_taxis: A 1.0000") && shown.contains("tick 3"), "{shown}");
}

#[test]
fn unit_the_documentation_page_names_every_part() {
    let compiled = compile_text("taxis.toml", SPEC, Options::default()).unwrap();
    let page = document::html(&compiled);
    assert_eq!(page, document::html(&compiled));
    for part in
        ["<svg", "m_taxis", "target_direction", "vmax", "phi_sat", "largest W*dt", "drive_v"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("0 <= x"), "text is escaped");
}
