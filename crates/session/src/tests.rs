//! Helpers of the tables' tests.

use tropism_wire::session::{Frame, Stage, StageKind};

pub(crate) fn empty_frame() -> Frame {
    Frame {
        tick: 0,
        time_s: 0.0,
        stage: 0,
        hash: String::new(),
        is_playing: false,
        speed: 1.0,
        recording: None,
        robots: None,
        dynamics: None,
        octopus: None,
        events: Vec::new(),
    }
}

pub(crate) fn empty_stage() -> Stage {
    Stage {
        kind: StageKind::Robots,
        version: 0,
        name: String::new(),
        about: String::new(),
        seed: 0,
        step: [1, 20],
        ticks: 0,
        is_recording: false,
        robots: None,
        dynamics: None,
        octopus: None,
    }
}
