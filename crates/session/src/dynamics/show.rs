//! A network and its scene as plain data of the protocol.

use tropism_dynamics_lab::ball::BALL_RADIUS;
use tropism_dynamics_lab::robot::{RADIUS, bearing};
use tropism_dynamics_spec::influence::Part as NetworkPart;
use tropism_wire::session::{
    DynamicsFrame, DynamicsStage, ParameterStage, Part, RoundThing, Scene, Stage, StageKind,
    TermFrame,
};

use super::DynamicsTable;
use crate::table::Watch;

/// Scenes to choose from; a course takes any seed.
const SCENES: [&str; 7] = ["field", "mission", "course:1", "course:2", "course:3", "room", "ball"];

impl DynamicsTable {
    pub(super) fn describe_into(&self, stage: &mut Stage) {
        let (view, compiled) = (&self.view, self.live.compiled());
        stage.kind = StageKind::Dynamics;
        stage.name.clone_from(&compiled.spec.name.text);
        stage.about.clone_from(&compiled.spec.about);
        let scene = self.scene.name();
        let mut scenes: Vec<String> = SCENES.map(str::to_owned).to_vec();
        if !scenes.contains(&scene) {
            scenes.push(scene.clone());
        }
        let discs = self.place.discs.iter().map(|disc| RoundThing {
            at: [disc.x, disc.y],
            radius_m: disc.r,
            kind: "disc".to_owned(),
        });
        stage.dynamics = Some(DynamicsStage {
            levels: view.levels.clone(),
            nodes: view.nodes.clone(),
            edges: view.edges.clone(),
            signals: view.signals.clone(),
            modes: self.modes(),
            parameters: view.parameters.clone(),
            text: self.live.text().to_owned(),
            warnings: view.warnings.clone(),
            scene,
            scenes,
            discs: discs.collect(),
            walls: self.place.walls().map(|w| [[w.x.0, w.y.0], [w.x.1, w.y.1]]),
            goal: self.place.goal().map(|(x, y)| [x, y]),
            robot_radius_m: RADIUS,
            ball_radius_m: BALL_RADIUS,
        });
    }

    fn modes(&self) -> Vec<ParameterStage> {
        let spec = &self.live.compiled().spec;
        let mode = |(mode, value): (&tropism_dynamics_spec::spec::Mode, &f64)| ParameterStage {
            name: mode.name.text.clone(),
            unit: String::new(),
            value: *value as f32,
            min: 0.0,
            max: 1.0,
            about: mode.about.clone(),
        };
        spec.modes.iter().zip(&self.driver.modes).map(mode).collect()
    }

    pub(super) fn frame(&self, watch: &Watch) -> DynamicsFrame {
        let robot = &self.place.robot;
        let ranges = robot.ranges(&self.place.discs, self.place.walls());
        let rays = ranges.iter().enumerate();
        DynamicsFrame {
            signals: self.signals(),
            terms: if watch.has(Part::Terms) { self.terms() } else { Vec::new() },
            scene: Scene {
                at: [robot.state[0], robot.state[1]],
                heading_rad: robot.state[2],
                rays: rays.map(|(ray, range)| [bearing(ray), range + RADIUS]).collect(),
                ball: self.place.ball.map(|ball| [ball.at.0, ball.at.1]),
                ending: self.touched.map(|_| "touched something".to_owned()),
            },
            is_edit_waiting: self.live.has_offer(),
            by_hand: self.by_hand.iter().map(|hand| hand.node as u32).collect(),
            faults: self.driver.network.faults(),
        }
    }

    /// Values in the order of the view's signals. What is missing or has not started is none.
    fn signals(&self) -> Vec<Option<f64>> {
        let (names, network) = (&self.live.compiled().names, &self.driver.network);
        let value = |slot: u16| Some(network.value(slot)).filter(|value| value.is_finite());
        let readings = names.readings.iter().enumerate();
        let readings = readings.map(|(i, c)| value(c.slot).filter(|_| network.age(i as u16) == 0));
        let mut signals: Vec<_> = readings.collect();
        signals.extend(self.driver.modes.iter().copied().map(Some));
        let percepts = names.percepts.iter().enumerate();
        signals
            .extend(percepts.map(|(i, c)| value(c.slot).filter(|_| network.has_started(i as u16))));
        signals.extend(names.behaviours.iter().map(|c| value(c.slot)));
        let pulls = &self.present.pulls;
        signals.extend(pulls.iter().map(|p| p.map(|pull| pull.0).filter(|g| g.is_finite())));
        signals.extend(names.actuators.iter().map(|c| value(c.slot)));
        signals.extend(pulls.iter().map(|p| Some(p.map_or(0.0, |pull| pull.1))));
        signals
    }

    /// What moved every behaviour and actuator in its level's last step.
    fn terms(&self) -> Vec<TermFrame> {
        let (names, view, present) = (&self.live.compiled().names, &self.view, &self.present);
        let term = |part: NetworkPart, text: &String, value: f64| TermFrame {
            node: view.node(part) as u32,
            text: text.clone(),
            value,
        };
        let users = names.users.iter().zip(&view.user_texts).zip(&present.changes);
        let mut terms: Vec<_> = users
            .map(|((user, text), change)| {
                term(NetworkPart::Behaviour(user.behaviour), text, *change)
            })
            .collect();
        let decays = view.decay_texts.iter().zip(&present.decays).enumerate();
        terms.extend(
            decays.map(|(index, (text, decay))| term(NetworkPart::Behaviour(index), text, *decay)),
        );
        let pulls = names.targets.iter().zip(&view.target_texts).zip(&present.pulls);
        terms.extend(pulls.map(|((target, text), pull)| {
            term(NetworkPart::Actuator(target.actuator), text, pull.map_or(0.0, |p| p.1))
        }));
        terms
    }
}
