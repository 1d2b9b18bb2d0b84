//! Layers of behaviour, of which the highest that wants the wheels has them.
//!
//! Terms: a layer *subsumes* those below it while it wants the wheels.
//!
//! What it does not do: layers do not inhibit each other's inputs; only outputs are suppressed.

use tropism_body::{Command, Controller, Observer, Percept};
use tropism_core::{FixedList, TimeStep, math};

use crate::course::{Channels, Echo};
use crate::filter::{Confirm, Median};
use crate::vehicle::proximity;

tropism_core::parameters! {
    /// Numbers of the layers.
    pub struct LayerParameters {
        /// Wheel command of cruising.
        base: "1", 0.0..=1.0, 0.5, "choice";
        /// Range at which avoidance takes over.
        avoid_enter: "m", 0.02..=4.0, 0.35, "choice";
        /// Range at which it lets go; above `avoid_enter`.
        avoid_leave: "m", 0.02..=4.0, 0.45, "choice: hysteresis of 10 cm";
        /// Readings over which the median of a ranger is taken; 1 takes each as it comes.
        median: "1", 1.0..=7.0, 1.0, "choice; 7 hides bursts of three readings";
        /// Time an obstacle must last before avoidance takes over.
        confirm: "s", 0.0..=2.0, 0.0, "choice: for rangers that fire in turn";
        /// Time of backing off after a contact.
        retreat: "s", 0.0..=10.0, 0.6, "choice";
        /// Turn command per rad of goal bearing.
        goal: "1/rad", 0.0..=2.0, 0.4, "choice";
        /// Distance at which the goal counts as reached.
        arrive: "m", 0.0..=1.0, 0.15, "choice";
    }
}

/// One layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// Drives straight on; always wants the wheels.
    #[default]
    Cruise,
    /// Turns to the goal when there is one.
    Goal,
    /// Turns away from what is near.
    Avoid,
    /// Backs off after a contact, turning, each time to the other side.
    Retreat,
}

/// Most layers.
pub const LAYERS_MAX: usize = 4;

/// Fixed priorities between behaviours.
///
/// # Source
/// Brooks (1986), IEEE Journal of Robotics and Automation 2, 14–23; suppression only.
#[derive(Clone, Copy, Debug)]
pub struct Layers {
    channels: Channels,
    parameters: LayerParameters,
    dt_s: f32,
    /// Lowest first.
    stack: FixedList<Layer, LAYERS_MAX>,
    active: usize,
    is_avoiding: bool,
    medians: [Median; 3],
    confirm: Confirm,
    retreat_s: f32,
    retreat_sign: f32,
    turn: f32,
}

impl Layers {
    /// These layers, lowest first.
    pub fn new(
        channels: Channels,
        step: TimeStep,
        parameters: LayerParameters,
        layers: FixedList<Layer, LAYERS_MAX>,
    ) -> Self {
        Self {
            channels,
            parameters,
            dt_s: step.seconds(),
            stack: layers,
            active: 0,
            is_avoiding: false,
            medians: [Median::new(parameters.median); 3],
            confirm: Confirm::default(),
            retreat_s: 0.0,
            retreat_sign: 1.0,
            turn: 0.0,
        }
    }

    /// Cruise, goal, avoid, retreat.
    pub fn all() -> FixedList<Layer, LAYERS_MAX> {
        FixedList::from_slice(&[Layer::Cruise, Layer::Goal, Layer::Avoid, Layer::Retreat])
    }

    /// The layer that had the wheels last.
    pub fn active(&self) -> Option<Layer> {
        self.stack.get(self.active).copied()
    }

    /// What a layer wants: base and turn.
    fn wish(&mut self, layer: Layer, percept: &Percept) -> Option<(f32, f32)> {
        let p = self.parameters;
        match layer {
            Layer::Cruise => Some((p.base, 0.0)),
            Layer::Goal => {
                let (bearing, range_m) = self.channels.goal(percept)?;
                let is_there = range_m < p.arrive;
                let turn = math::clamp(p.goal * bearing, -0.3, 0.3);
                Some(if is_there { (0.0, 0.0) } else { (p.base, turn) })
            }
            Layer::Avoid => {
                let mut echoes = self.channels.ranges(percept);
                for (echo, median) in echoes.iter_mut().zip(&mut self.medians) {
                    *echo = median.update(*echo);
                }
                let limit = if self.is_avoiding { p.avoid_leave } else { p.avoid_enter };
                let is_near = echoes.iter().any(|e| e.is_within(limit));
                let is_confirmed = self.confirm.update(is_near, self.dt_s, p.confirm);
                self.is_avoiding = is_near && (self.is_avoiding || is_confirmed);
                self.is_avoiding.then(|| avoid(echoes, &p))
            }
            Layer::Retreat => {
                if self.channels.is_bumped(percept) && self.retreat_s <= 0.0 {
                    self.retreat_s = p.retreat;
                    self.retreat_sign = -self.retreat_sign;
                }
                self.retreat_s -= self.dt_s;
                (self.retreat_s > 0.0).then_some((-0.5 * p.base, 0.2 * self.retreat_sign))
            }
        }
    }
}

/// Away from the nearer side; both near or something ahead slows down to turning on the spot.
fn avoid(echoes: [Echo; 3], p: &LayerParameters) -> (f32, f32) {
    let [left, front, right] = echoes.map(|e| proximity(e.distance_m(), p.avoid_leave));
    let turn = if right >= left { 0.35 } else { -0.35 };
    let most = [left, front, right].into_iter().fold(0.0, |a: f32, b| if b > a { b } else { a });
    (p.base * math::unit(1.0 - 1.5 * most), turn)
}

impl Controller for Layers {
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        let (mut base, mut turn) = (0.0, 0.0);
        for i in 0..self.stack.len() {
            if let Some(wish) = self.wish(self.stack[i], percept) {
                (base, turn) = wish;
                self.active = i;
            }
        }
        self.turn = turn;
        self.channels.steer(command, base, turn);
    }

    fn modules(&self) -> &'static [&'static str] {
        &["cruise", "goal", "avoid", "retreat"]
    }

    fn controlling_module(&self) -> usize {
        self.active().map_or(0, |layer| layer as usize)
    }

    fn observe(&self, observer: &mut dyn Observer) {
        observer.value("turn", None, f64::from(self.turn));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Probe;
    use tropism_body::Reading;

    #[test]
    fn unit_the_highest_layer_that_wants_the_wheels_has_them() {
        let step = TimeStep::new(1, 100).unwrap();
        let channels = Probe::new().channels();
        let mut layers = Layers::new(channels, step, LayerParameters::default(), Layers::all());
        let bumped = |p: Probe| p.set("bump", Reading::Fresh(1.0));
        let probe = Probe::new().goal(1.0, 2.0);
        probe.drive(&mut layers);
        assert_eq!(layers.active(), Some(Layer::Goal));
        let near = probe.ranges(None, Some(0.2), None);
        near.drive(&mut layers);
        assert_eq!(layers.active(), Some(Layer::Avoid));
        let (left, right) = bumped(near).drive(&mut layers);
        assert_eq!(layers.active(), Some(Layer::Retreat));
        assert!(left + right < 0.0);
    }

    #[test]
    fn unit_us_08_bursts_of_near_readings_never_trigger_a_filtered_avoidance() {
        let step = TimeStep::new(1, 100).unwrap();
        let avoids = |changes: LayerParameters, lasts: u32| {
            let mut layers = Layers::new(Probe::new().channels(), step, changes, Layers::all());
            (0..200)
                .filter(|t| {
                    let d = if t % 50 >= 10 && t % 50 < 10 + lasts { 0.03 } else { 1.5 };
                    Probe::new().ranges(None, Some(d), None).drive(&mut layers);
                    layers.active() == Some(Layer::Avoid)
                })
                .count()
        };
        let plain = LayerParameters::default();
        let median = LayerParameters { median: 7.0, ..plain };
        let confirm = LayerParameters { confirm: 0.03, ..plain };
        for burst in 1..=3 {
            assert!(avoids(plain, burst) > 0);
            assert_eq!((avoids(median, burst), avoids(confirm, burst)), (0, 0), "{burst}");
        }
        assert!(avoids(median, 20) > 0 && avoids(confirm, 20) > 0);
    }

    #[test]
    fn unit_wf_05_a_second_contact_turns_to_the_other_side() {
        let step = TimeStep::new(1, 100).unwrap();
        let channels = Probe::new().channels();
        let mut layers = Layers::new(channels, step, LayerParameters::default(), Layers::all());
        let touch = Probe::new().set("bump", Reading::Fresh(1.0));
        let (l1, r1) = touch.drive(&mut layers);
        for _ in 0..100 {
            Probe::new().drive(&mut layers);
        }
        let (l2, r2) = touch.drive(&mut layers);
        assert!((r1 - l1) * (r2 - l2) < 0.0);
    }
}
