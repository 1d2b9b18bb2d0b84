//! The organism: one tick from percept to command.

use tropism_body::{BodySpec, Command, Controller, MAX_ACTUATORS, Observer, Percept};
use tropism_core::{Purpose, Seed, Stream, Tick, TimeStep, math, random};

use crate::code;
use crate::config::{OrganismConfig, Reflexes};
use crate::contingency::{Contingency, Recall, Situation};
use crate::physiology::{NEEDS, Need, Physiology, PhysiologyMode, Strain};
use crate::reflex::Reflex;
use crate::senses::Senses;
use crate::spatial::{BestPlace, Spatial};

const EXPLORATION: Purpose = Purpose::named("organism.exploration");
const RANDOMISED: Purpose = Purpose::named("organism.randomised-sensors");

/// Everything that changes while an organism lives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrganismState {
    /// Ticks lived, over all its lives; the address of its random draws.
    pub age: Tick,
    /// Readings as taken.
    pub senses: Senses,
    /// Needs and senses' learning.
    pub physiology: Physiology,
    /// Contingency memory.
    pub contingency: Contingency,
    /// Spatial memory.
    pub spatial: Spatial,
    /// Reflexes.
    pub reflex: Reflex,
    /// Ornstein–Uhlenbeck noise of each actuator.
    pub noise: [f32; MAX_ACTUATORS],
}

/// How the last action came about, per actuator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Decision {
    /// What the reflexes proposed.
    pub reflex: [f32; MAX_ACTUATORS],
    /// What exploration added.
    pub explore: [f32; MAX_ACTUATORS],
    /// What recall added.
    pub bias: [f32; MAX_ACTUATORS],
    /// Share of reflex and exploration that rest left.
    pub keep: f32,
    /// Change of exploration by place.
    pub nudge: f32,
    /// What was recalled.
    pub recall: Option<Recall>,
    /// The best place known.
    pub best_place: Option<BestPlace>,
    /// Wanted value.
    pub target: [f32; MAX_ACTUATORS],
}

/// Behaviour modules that can have most say in a command.
pub const MODULES: [&str; 4] = ["rest", "explore", "reflex", "recall"];

/// A homeostatic learner in one body.
///
/// Model of an action, per actuator:
/// ```text
/// n       <- a·n + √(1 - a²)·g            a = exp(-dt/τ), g a bell-shaped draw
/// explore  = n·fuzz·span·½·(1 + nudge)
/// keep     = 1 - 0.3·clamp(drive(fatigue) + drive(energy), 0, 1)
/// target   = (reflex + explore)·keep + direction·confidence·span·0.3
/// ```
///
/// # Example
/// ```
/// use tropism_body::{ActuatorBank, Command, Controller, Percept, Reading, presets};
/// use tropism_core::{Seed, Tick, TimeStep};
/// use tropism_organism::{Organism, OrganismConfig};
/// let body = presets::reference_simulator();
/// let mut organism =
///     Organism::new(&body, TimeStep::TWENTIETH, OrganismConfig::default(), Seed(1), 0);
/// let mut bank = ActuatorBank::new(&body, TimeStep::TWENTIETH);
/// for t in 0..20 {
///     let mut percept = Percept { tick: Tick(t), ..Percept::default() };
///     for _ in 0..7 {
///         let _ = percept.readings.push(Reading::Fresh(0.5));
///     }
///     bank.feel_into(Tick(t), &mut percept);
///     let mut command = Command::new();
///     organism.step(&percept, &mut command);
///     bank.apply(&command, Tick(t));
/// }
/// assert_ne!(bank.value(0), 0.0);
/// ```
///
/// # Determinism
/// Draws: one bell-shaped number per actuator and tick from the stream
/// (seed, exploration, robot, actuator) at the organism's age.
///
/// # Source
/// Design document, section 9; the reference engine for constants and order.
#[derive(Clone, Debug, PartialEq)]
pub struct Organism {
    body: BodySpec,
    step: TimeStep,
    dt_s: f32,
    config: OrganismConfig,
    noise_keep: f32,
    noise_fresh: f32,
    trace_keep: f32,
    seed: Seed,
    robot: u32,
    exploration: [Stream; MAX_ACTUATORS],
    randomised: Stream,
    state: OrganismState,
    decision: Decision,
}

impl Organism {
    /// A newborn organism. Its random streams belong to (seed, robot).
    pub fn new(
        body: &BodySpec,
        step: TimeStep,
        config: OrganismConfig,
        seed: Seed,
        robot: u32,
    ) -> Self {
        let dt_s = step.seconds();
        let sensors = body.sensors.len();
        let mut reflex = Reflex::new(sensors, body.actuators.len(), config.input_mean_at_birth);
        if matches!(config.ablation.reflexes, Reflexes::Frozen | Reflexes::Plastic) {
            for connection in config.wiring.iter() {
                reflex.set_weight(connection.0);
            }
        }
        let mut organism = Self {
            body: *body,
            step,
            dt_s,
            config,
            noise_keep: 0.0,
            noise_fresh: 0.0,
            trace_keep: 0.0,
            seed,
            robot,
            exploration: exploration_streams(seed, robot),
            randomised: seed.stream(RANDOMISED, robot, 0),
            state: OrganismState {
                age: Tick(0),
                senses: Senses::new(sensors),
                physiology: Physiology::default(),
                contingency: Contingency::default(),
                spatial: Spatial::default(),
                reflex,
                noise: [0.0; MAX_ACTUATORS],
            },
            decision: Decision { keep: 1.0, ..Decision::default() },
        };
        organism.set_parameters(config.parameters);
        organism
    }

    /// Begins another life: needs as at birth, everything learned stays.
    pub fn begin_life(&mut self) {
        self.state.physiology.begin_life();
    }

    /// The body it was made for.
    pub const fn body(&self) -> &BodySpec {
        &self.body
    }

    /// Seconds per tick as a fraction.
    pub const fn time_step(&self) -> TimeStep {
        self.step
    }

    /// What it was made with.
    pub const fn config(&self) -> &OrganismConfig {
        &self.config
    }

    /// Changes the switches of a living organism; memories and weights stay.
    pub const fn set_ablation(&mut self, ablation: crate::config::Ablation) {
        self.config.ablation = ablation;
    }

    /// Changes the numbers of a living organism; memories and weights stay.
    pub fn set_parameters(&mut self, parameters: crate::parameters::OrganismParameters) {
        self.config.parameters = parameters;
        self.noise_keep = math::exp(-self.dt_s / parameters.action.noise_s);
        self.noise_fresh = math::sqrt(1.0 - self.noise_keep * self.noise_keep);
        self.trace_keep = math::exp(-self.dt_s / parameters.reflex.trace_s);
    }

    /// Seed of its random streams.
    pub const fn seed(&self) -> Seed {
        self.seed
    }

    /// Number of the robot its random streams belong to.
    pub const fn robot(&self) -> u32 {
        self.robot
    }

    /// Draws from the streams of another (seed, robot) from now on.
    pub fn set_streams(&mut self, seed: Seed, robot: u32) {
        (self.seed, self.robot) = (seed, robot);
        self.exploration = exploration_streams(seed, robot);
        self.randomised = seed.stream(RANDOMISED, robot, 0);
    }

    /// Everything that changes while it lives.
    pub const fn state(&self) -> &OrganismState {
        &self.state
    }

    /// The same, to be changed in place where a copy would not fit beside it. What is written is
    /// trusted to be a state that an organism of this body can be in.
    pub const fn state_mut(&mut self) -> &mut OrganismState {
        &mut self.state
    }

    /// Goes on from a saved state. Restoring and continuing equals never having stopped.
    pub const fn restore(&mut self, state: &OrganismState) {
        self.state = *state;
    }

    /// How the last action came about.
    pub const fn decision(&self) -> &Decision {
        &self.decision
    }

    /// One tick with exploration noise given from outside, one standard normal number per actuator;
    /// for tests and for replaying another implementation.
    pub fn step_with_noise(
        &mut self,
        percept: &Percept,
        noise: &[f32; MAX_ACTUATORS],
        command: &mut Command,
    ) {
        self.sense(percept);
        self.update(percept);
        self.act(percept, noise, command);
        self.state.age = self.state.age.next();
    }

    fn sense(&mut self, percept: &Percept) {
        let a = &self.config.ablation;
        let draws = self.randomised.at(self.state.age);
        let (hidden, randomised) = (a.hidden_sensors, a.randomised_sensors);
        self.state.senses.take(&self.body, percept, hidden, randomised, draws);
    }

    fn update(&mut self, percept: &Percept) {
        let OrganismConfig { parameters: p, ablation: a, .. } = &self.config;
        let s = &mut self.state;
        let mut values = [0.0; MAX_ACTUATORS];
        let mut cost = 0.0;
        for ((value, spec), felt) in
            values.iter_mut().zip(self.body.actuators.iter()).zip(percept.actuators.iter())
        {
            *value = felt.value;
            cost += math::abs(felt.value) * spec.cost_per_unit;
        }
        let linked = self.body.energy_sensor.map(usize::from).filter(|_| a.has_battery_link);
        let energy_level = linked.filter(|i| s.senses.is_valid(*i)).map(|i| s.senses.levels[i]);
        let mode =
            PhysiologyMode { is_adapting: a.has_sensory_adaptation, is_flattened: !a.has_drives };
        let strain = Strain { energy_level, cost, surprise: s.contingency.surprise };
        s.physiology.update((&p.physiology, &p.drives), mode, self.dt_s, &s.senses, strain);
        let now = Situation {
            senses: &s.senses,
            actuators: &values[..self.body.actuators.len()],
            context: s.physiology.context(),
            distance: s.physiology.distance,
        };
        s.contingency.update(&p.contingency, now, a.is_contingency_frozen);
        let wipe = u64::from(a.spatial_wipe_ticks);
        if wipe != 0 && s.age.0.is_multiple_of(wipe) {
            s.spatial.clear();
        }
        s.spatial.update(&p.spatial, &s.senses, &s.physiology.drives);
    }

    fn act(&mut self, percept: &Percept, noise: &[f32; MAX_ACTUATORS], command: &mut Command) {
        let OrganismConfig { parameters: p, ablation: a, .. } = &self.config;
        let s = &mut self.state;
        let drives = s.physiology.drives;
        let d = &mut self.decision;
        d.recall = if a.has_contingency_influence { s.contingency.recall() } else { None };
        d.best_place = if a.has_spatial_influence { s.spatial.best(&drives) } else { None };
        d.nudge = s.spatial.nudge(&p.spatial, d.best_place);
        let is_plastic = matches!(a.reflexes, Reflexes::Learned | Reflexes::Plastic);
        d.reflex = [0.0; MAX_ACTUATORS];
        if a.reflexes != Reflexes::Off {
            s.reflex.learn(&p.reflex, self.dt_s, s.physiology.distance, is_plastic);
            d.reflex = s.reflex.propose(&p.reflex, self.dt_s, &s.senses, &drives);
        }
        let tired = drives[Need::Fatigue as usize] + drives[Need::Energy as usize];
        d.keep = 1.0 - p.action.rest_gain * math::unit(tired);
        let reach = s.physiology.fuzz * p.action.noise_gain * (1.0 + d.nudge);
        let mut taken = [0.0; MAX_ACTUATORS];
        for (j, spec) in self.body.actuators.iter().enumerate() {
            let is_manual = percept.actuators.get(j).is_some_and(|felt| felt.is_manual);
            if is_manual {
                (d.explore[j], d.bias[j], d.target[j]) = (0.0, 0.0, 0.0);
                continue;
            }
            s.noise[j] = self.noise_keep * s.noise[j] + self.noise_fresh * noise[j];
            d.explore[j] = s.noise[j] * reach * spec.span();
            d.bias[j] = d.recall.map_or(0.0, |r| {
                let direction = f32::from(code::direction(r.action, j));
                direction * r.confidence * spec.span() * p.action.bias_gain
            });
            let wanted = (d.reflex[j] + d.explore[j]) * d.keep + d.bias[j];
            d.target[j] = math::clamp(wanted, spec.min, spec.max);
            command.write(j, d.target[j]);
            taken[j] = d.explore[j] * d.keep;
        }
        if is_plastic {
            s.reflex.record(self.trace_keep, &taken);
        }
    }
}

impl Controller for Organism {
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        let mut noise = [0.0; MAX_ACTUATORS];
        if self.config.ablation.has_exploration {
            let age = self.state.age;
            for (noise, stream) in
                noise.iter_mut().zip(&self.exploration).take(self.body.actuators.len())
            {
                *noise = random::bell_of(stream.bits(age));
            }
        }
        self.step_with_noise(percept, &noise, command);
    }

    fn modules(&self) -> &'static [&'static str] {
        &MODULES
    }

    /// The largest of the three terms, each summed over the actuators in spans; rest when together
    /// they ask for less than a twentieth of a span.
    fn controlling_module(&self) -> usize {
        let d = &self.decision;
        let mut shares = [0.0_f32; 3];
        for (j, spec) in self.body.actuators.iter().enumerate() {
            let span = spec.span();
            shares[0] += math::abs(d.explore[j]) * d.keep / span;
            shares[1] += math::abs(d.reflex[j]) * d.keep / span;
            shares[2] += math::abs(d.bias[j]) / span;
        }
        let mut module = 0;
        let mut largest = 0.05;
        for (i, share) in shares.iter().enumerate() {
            if *share > largest {
                (module, largest) = (i + 1, *share);
            }
        }
        module
    }

    fn observe(&self, observer: &mut dyn Observer) {
        crate::observe::observe(self, observer);
    }
}

fn exploration_streams(seed: Seed, robot: u32) -> [Stream; MAX_ACTUATORS] {
    core::array::from_fn(|i| seed.stream(EXPLORATION, robot, i as u32))
}

/// Sum of all drives, the pressure on the organism.
pub fn total_drive(drives: &[f32; NEEDS]) -> f32 {
    drives.iter().sum()
}
