//! The centre: assignments in, capture reports out, one owner per food.
//!
//! Order of one tick: time advances; hazards age; free arms may be allocated food; intentions are
//! settled; the arms act in the order of their numbers, and what an earlier arm did to food a
//! later one sees; every arm senses the final scene.

use alloc::vec::Vec;

use tropism_core::{StateHash, Tick, TimeStep};

use crate::allocation::{Allocation, Seeker, allocate};
use crate::arbitration::{Arbiter, Intention, Priority};
use crate::arm::{ArmError, ArmParameters};
use crate::constants::{ARMS, BODY_RADIUS, CRITICAL_SEVERITY, OBJECT_CAPACITY, REPORTS_KEPT};
use crate::contact::{CandidateOrder, grasp_candidate};
use crate::controlled::{ControlledArm, Grants, Permit};
use crate::hazard::{HazardError, HazardId, Hazards};
use crate::law::{LawKind, Surroundings};
use crate::objects::{
    Disc, Kind, ObjectError, ObjectId, ObjectStore, compare_discs, compare_objects,
};
use crate::retreat::Urge;
use crate::separation::{Separation, SeparationSettings};
use crate::task::{Task, WhenTaken};
use crate::vector::Point;

/// What is fixed when an octopus is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Which law moves the arms.
    pub law: LawKind,
    /// Settle conflicts and heed hazards before the arms move.
    pub arbitration: bool,
    /// Severity at and above which every arm withdraws, 0..=1.
    pub critical_severity: f64,
    /// Keep segments apart.
    pub separation: SeparationSettings,
    /// Send idle arms to free food by reward.
    pub allocation: bool,
    /// Food may pass from arm to arm.
    pub hand_over: bool,
    /// Objects there is room for.
    pub object_capacity: usize,
}

impl Settings {
    /// The public model: its law, no arbitration, nothing beyond it.
    pub fn reference() -> Self {
        Self { law: LawKind::Reference, arbitration: false, ..Self::default() }
    }
}

impl Default for Settings {
    /// The `reach` law with arbitration; separation, allocation and hand-over off.
    fn default() -> Self {
        Self {
            law: LawKind::Reach,
            arbitration: true,
            critical_severity: CRITICAL_SEVERITY,
            separation: SeparationSettings::default(),
            allocation: false,
            hand_over: false,
            object_capacity: OBJECT_CAPACITY,
        }
    }
}

/// Why a command was refused; nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CommandError {
    /// No arm has this index.
    Arm(usize),
    /// A coordinate is not finite.
    Place,
    /// No food has this id.
    Food(ObjectId),
    /// The arm holds nothing.
    EmptyHanded(usize),
    /// Hand-over is switched off.
    NoHandOver,
    /// The parameters are out of range, or a speed change would change the shape.
    Parameters(ArmError),
}

impl core::fmt::Display for CommandError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Arm(index) => write!(f, "arm index {index} is outside 0..8"),
            Self::Place => f.write_str("a place needs finite coordinates"),
            Self::Food(id) => write!(f, "no food has the id {}", id.0),
            Self::EmptyHanded(index) => write!(f, "arm index {index} holds nothing"),
            Self::NoHandOver => f.write_str("hand-over is switched off"),
            Self::Parameters(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CommandError {}

/// One completed capture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaptureReport {
    /// Index of the arm.
    pub arm: usize,
    /// What it captured.
    pub object: ObjectId,
    /// When.
    pub tick: Tick,
}

/// Eight arms, a scene, and the centre between them.
#[derive(Debug)]
pub struct Octopus {
    pub(crate) body: Point,
    pub(crate) step: TimeStep,
    pub(crate) settings: Settings,
    pub(crate) tick: Tick,
    pub(crate) objects: ObjectStore,
    pub(crate) arms: Vec<ControlledArm>,
    pub(crate) hazards: Hazards,
    pub(crate) arbiter: Arbiter,
    pub(crate) intentions: [Intention; ARMS],
    pub(crate) reports: [Option<CaptureReport>; REPORTS_KEPT],
    pub(crate) captures: u64,
    pub(crate) safety_releases: u64,
    pub(crate) allocation: Allocation,
    /// Per giver, the arm to which it offers what it holds.
    pub(crate) offers: [Option<usize>; ARMS],
    /// Circles the arms keep out of, and what they were made from.
    zones: Vec<Disc>,
    zones_from: Option<(u64, u64)>,
    pub(crate) zones_revision: u64,
    /// Scratch: discs of critical hazards, or zones of lesser ones.
    urges: Vec<Disc>,
    /// Scratch of the allocation.
    ranked: Vec<(ObjectId, Point)>,
}

/// Heading and base of an arm by index, 0 at the top, then clockwise.
pub fn place_of_arm(body: Point, index: usize) -> (Point, f64) {
    use core::f64::consts::PI;
    let heading = -PI / 2.0 + index as f64 * 2.0 * PI / ARMS as f64;
    (body + Point::unit(heading) * BODY_RADIUS, heading)
}

/// Margins and times of withdrawal and recoil.
mod limits {
    /// Arms withdraw until they are this far from a critical hazard's rim, px.
    pub(super) const WITHDRAW_MARGIN: f64 = 60.0;
    /// Arms recoil until they are this far from a lesser hazard's zone, px.
    pub(super) const RECOIL_MARGIN: f64 = 8.0;
    /// A recoil begins when a segment is this close to the zone, px.
    pub(super) const RECOIL_START: f64 = 1.0;
    /// A recoil ends when every segment is this far from the zone, px.
    pub(super) const RECOIL_END: f64 = 5.0;
    /// Slowest recoil, share of full speed.
    pub(super) const RECOIL_SHARE_MIN: f64 = 0.1;
    /// Calm needed after a withdrawal before an assignment is resumed, s.
    pub(super) const CALM_SECONDS: f64 = 0.5;
    /// Ticks between two allocations.
    pub(super) const ALLOCATION_TICKS: u64 = 12;
}

impl Octopus {
    /// Eight fresh, idle arms around `body`.
    ///
    /// # Errors
    /// [`CommandError::Place`] for a centre that is not finite.
    pub fn new(
        body: Point,
        step: TimeStep,
        parameters: &[ArmParameters; ARMS],
        settings: Settings,
    ) -> Result<Self, CommandError> {
        if !body.is_finite() {
            return Err(CommandError::Place);
        }
        // Hazard zones and the body may join the obstacles.
        let capacity = settings.object_capacity + crate::constants::HAZARDS_MAX + 1;
        let arm = |(i, p): (usize, &ArmParameters)| {
            ControlledArm::new(place_of_arm(body, i), *p, settings.law, capacity)
        };
        Ok(Self {
            body,
            step,
            settings,
            tick: Tick(0),
            objects: ObjectStore::with_capacity(settings.object_capacity),
            arms: parameters.iter().enumerate().map(arm).collect(),
            hazards: Hazards::default(),
            arbiter: Arbiter::default(),
            intentions: [Intention::default(); ARMS],
            reports: [None; REPORTS_KEPT],
            captures: 0,
            safety_releases: 0,
            allocation: Allocation::default(),
            offers: [None; ARMS],
            zones: Vec::with_capacity(capacity),
            zones_from: None,
            zones_revision: 0,
            urges: Vec::with_capacity(capacity),
            ranked: Vec::with_capacity(settings.object_capacity),
        })
    }

    // ---- what can be seen ----

    /// Centre of the body, px.
    pub const fn body(&self) -> Point {
        self.body
    }

    /// Ticks done.
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// Length of a tick.
    pub const fn time_step(&self) -> TimeStep {
        self.step
    }

    /// Simulated seconds.
    pub fn seconds(&self) -> f64 {
        self.step.seconds_at(self.tick)
    }

    /// How the octopus was set up.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The arms, index 0 at the top, then clockwise.
    pub fn arms(&self) -> &[ControlledArm] {
        &self.arms
    }

    /// The scene.
    pub const fn objects(&self) -> &ObjectStore {
        &self.objects
    }

    /// Reported hazards.
    pub const fn hazards(&self) -> &Hazards {
        &self.hazards
    }

    /// Grants and conflict outcomes.
    pub const fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// What each arm wanted in the last tick; idle without arbitration.
    pub const fn intentions(&self) -> &[Intention; ARMS] {
        &self.intentions
    }

    /// Captures so far.
    pub const fn captures(&self) -> u64 {
        self.captures
    }

    /// Food released because of critical hazards, so far.
    pub const fn safety_releases(&self) -> u64 {
        self.safety_releases
    }

    /// The last allocation that sent an arm somewhere.
    pub const fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// The last 32 capture reports, oldest first.
    pub fn reports(&self) -> impl Iterator<Item = &CaptureReport> {
        let next = (self.captures % REPORTS_KEPT as u64) as usize;
        let (newer, older) = self.reports.split_at(next);
        older.iter().chain(newer).flatten()
    }

    /// Hash of everything that moves: poses, flags, grips, objects, counters.
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.word(self.tick.0);
        hash.word(self.captures);
        hash.word(self.safety_releases);
        hash.word(self.arbiter.conflicts);
        for arm in &self.arms {
            arm.arm.pose.angles.iter().for_each(|a| hash.word(a.to_bits()));
            hash.word(arm.target.x.to_bits());
            hash.word(arm.target.y.to_bits());
            hash.word(arm.held().map_or(0, |id| u64::from(id.0)));
            hash.word(arm.state() as u64);
            hash.word(arm.dwell.to_bits());
        }
        for object in self.objects.all() {
            hash.word(u64::from(object.id.0));
            hash.word(object.position.x.to_bits());
            hash.word(object.position.y.to_bits());
        }
        hash.value()
    }

    // ---- scene ----

    /// Adds food or an obstacle.
    ///
    /// # Errors
    /// [`ObjectError`].
    pub fn add_object(
        &mut self,
        kind: Kind,
        position: Point,
        radius: f64,
        reward: f64,
    ) -> Result<ObjectId, ObjectError> {
        self.objects.add(kind, position, radius, reward)
    }

    /// Moves an object; whoever holds it lets go.
    ///
    /// # Errors
    /// [`ObjectError`].
    pub fn move_object(&mut self, id: ObjectId, position: Point) -> Result<(), ObjectError> {
        if self.objects.get(id).is_none() {
            return Err(ObjectError::Unknown(id));
        }
        if !position.is_finite() {
            return Err(ObjectError::Shape);
        }
        self.release_object(id);
        self.objects.relocate(id, position)
    }

    /// Takes an object out; whoever holds it lets go.
    ///
    /// # Errors
    /// [`ObjectError`].
    pub fn remove_object(&mut self, id: ObjectId) -> Result<(), ObjectError> {
        if self.objects.get(id).is_none() {
            return Err(ObjectError::Unknown(id));
        }
        self.release_object(id);
        self.objects.remove(id).map(|_| ())
    }

    /// Whoever holds the object lets go.
    pub fn release_object(&mut self, id: ObjectId) {
        for (i, arm) in self.arms.iter_mut().enumerate() {
            if arm.held() == Some(id) {
                arm.release();
                self.offers[i] = None;
            }
        }
    }

    /// Reports a hazard; `seconds` is its life time, `None` without end.
    ///
    /// # Errors
    /// [`HazardError`].
    pub fn report_hazard(
        &mut self,
        position: Point,
        radius: f64,
        severity: f64,
        seconds: Option<f64>,
    ) -> Result<HazardId, HazardError> {
        let ticks = seconds.map(|s| self.step.ticks_in(s));
        self.hazards.report(position, radius, severity, ticks)
    }

    /// Changes a hazard's severity.
    ///
    /// # Errors
    /// [`HazardError`].
    pub fn set_hazard_severity(&mut self, id: HazardId, severity: f64) -> Result<(), HazardError> {
        self.hazards.set_severity(id, severity)
    }

    /// Takes a hazard back.
    ///
    /// # Errors
    /// [`HazardError`].
    pub fn clear_hazard(&mut self, id: HazardId) -> Result<(), HazardError> {
        self.hazards.clear(id)
    }

    // ---- commands ----

    fn arm_mut(&mut self, arm: usize) -> Result<&mut ControlledArm, CommandError> {
        self.arms.get_mut(arm).ok_or(CommandError::Arm(arm))
    }

    /// Sends an arm's tip, or the food it holds, to a place.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn assign_reach(&mut self, arm: usize, place: Point) -> Result<(), CommandError> {
        let controlled = self.arm_mut(arm)?;
        if !place.is_finite() {
            return Err(CommandError::Place);
        }
        controlled.assign(Task::Place(place), place);
        self.offers[arm] = None;
        Ok(())
    }

    /// Sends an arm to a food by name; without arbitration, to where the food is now.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn assign_food(
        &mut self,
        arm: usize,
        food: ObjectId,
        when_taken: WhenTaken,
    ) -> Result<(), CommandError> {
        let found = self.objects.get(food).filter(|o| o.kind == Kind::Food);
        let place = found.ok_or(CommandError::Food(food))?.position;
        let has_arbitration = self.settings.arbitration;
        let controlled = self.arm_mut(arm)?;
        let is_named = has_arbitration && controlled.held() != Some(food);
        let task = if is_named { Task::Food(food, when_taken) } else { Task::Place(place) };
        if is_named && controlled.grip.is_some() {
            // An arm has one grip: what it holds is put down first.
            controlled.release();
        }
        self.arm_mut(arm)?.assign(task, place);
        self.offers[arm] = None;
        Ok(())
    }

    /// Stops an arm; a grip stays.
    ///
    /// # Errors
    /// [`CommandError::Arm`].
    pub fn idle(&mut self, arm: usize) -> Result<(), CommandError> {
        self.arm_mut(arm)?.idle();
        Ok(())
    }

    /// Carries held food towards the body; nothing without a grip.
    ///
    /// # Errors
    /// [`CommandError::Arm`].
    pub fn retract(&mut self, arm: usize) -> Result<(), CommandError> {
        self.arm_mut(arm)?.retract();
        Ok(())
    }

    /// Lets go in place and idles the arm.
    ///
    /// # Errors
    /// [`CommandError::Arm`].
    pub fn release(&mut self, arm: usize) -> Result<(), CommandError> {
        self.arm_mut(arm)?.release();
        self.offers[arm] = None;
        Ok(())
    }

    /// Lets go and rebuilds the arm, with its old target and activity.
    ///
    /// # Errors
    /// [`CommandError::Arm`].
    pub fn reset(&mut self, arm: usize, parameters: ArmParameters) -> Result<(), CommandError> {
        let capacity = self.zones.capacity();
        self.arm_mut(arm)?.reset(parameters, capacity);
        self.offers[arm] = None;
        Ok(())
    }

    /// Changes an arm's speed, rad/s, without touching its pose.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn set_turning_speed(&mut self, arm: usize, speed: f64) -> Result<(), CommandError> {
        let controlled = self.arm_mut(arm)?;
        let changed = controlled.arm.parameters().with_turning_speed(speed);
        controlled.set_parameters(changed.map_err(CommandError::Parameters)?);
        Ok(())
    }

    /// Offers what an arm holds to another; that one is sent for it and takes it over in the tick
    /// in which its own contact has lasted long enough.
    ///
    /// # Errors
    /// [`CommandError`].
    pub fn hand_over(&mut self, from: usize, to: usize) -> Result<(), CommandError> {
        if !self.settings.hand_over || !self.settings.arbitration {
            return Err(CommandError::NoHandOver);
        }
        if to >= ARMS || from == to {
            return Err(CommandError::Arm(to));
        }
        let giver = self.arm_mut(from)?;
        let food = giver.held().ok_or(CommandError::EmptyHanded(from))?;
        giver.is_active = false;
        giver.task = Task::None;
        self.assign_food(to, food, WhenTaken::Wait)?;
        self.offers[from] = Some(to);
        Ok(())
    }

    fn order(&self) -> CandidateOrder {
        match self.settings.law {
            LawKind::Reference => CandidateOrder::Id,
            LawKind::Reach => CandidateOrder::Canonical,
        }
    }

    /// Lets every arm sense the scene as it is.
    pub fn refresh_sensing(&mut self) {
        let order = self.order();
        for arm in &mut self.arms {
            arm.sense(&self.objects, order);
        }
    }

    // ---- one tick ----

    /// Advances by one tick.
    ///
    /// # Determinism
    /// Draws nothing; depends on the state alone, and under the `reach` law not on the order in
    /// which objects were added.
    pub fn step(&mut self) {
        self.tick = self.tick.next();
        self.hazards.age(self.settings.critical_severity);
        self.refresh_zones();
        self.tend_tasks();
        if self.settings.allocation && self.tick.0 % limits::ALLOCATION_TICKS == 1 {
            self.allocate_food();
        }
        if self.settings.arbitration {
            self.arbitrate();
        }
        self.act();
        self.refresh_sensing();
    }

    fn refresh_zones(&mut self) {
        let from = Some((self.objects.obstacle_revision(), self.hazards.revision()));
        if self.zones_from == from {
            return;
        }
        self.zones_from = from;
        self.zones_revision += 1;
        self.zones.clear();
        self.zones.extend_from_slice(match self.settings.law {
            LawKind::Reference => self.objects.obstacles(),
            LawKind::Reach => self.objects.canonical_obstacles(),
        });
        if self.settings.arbitration {
            let lesser = self.hazards.all().iter().filter(|h| !h.is_critical);
            let zones = lesser.map(|h| h.zone()).filter(|zone| zone.radius > 0.0);
            self.zones.extend(zones);
            if self.settings.law == LawKind::Reach {
                self.zones.sort_unstable_by(compare_discs);
            }
        }
        if self.settings.separation.body {
            let disc = Disc { centre: self.body, radius: BODY_RADIUS, first_segment: 1 };
            self.zones.push(disc);
        }
    }

    fn owned(&self) -> [Option<ObjectId>; ARMS] {
        let mut owned = [None; ARMS];
        for (slot, arm) in owned.iter_mut().zip(&self.arms) {
            *slot = arm.held();
        }
        owned
    }

    /// Named food: follows it, and applies the rule for food that is taken or gone.
    fn tend_tasks(&mut self) {
        if !self.settings.arbitration {
            return;
        }
        let owned = self.owned();
        for i in 0..ARMS {
            let Task::Food(id, when_taken) = self.arms[i].task else { continue };
            let Some(food) = self.objects.get(id).copied() else {
                self.arms[i].idle();
                continue;
            };
            let owner = owned.iter().position(|held| *held == Some(id));
            let is_offered = owner.is_some_and(|o| self.offers[o] == Some(i));
            if owner.is_some_and(|o| o != i) && !is_offered {
                match when_taken {
                    WhenTaken::Wait => {}
                    WhenTaken::Free => self.arms[i].idle(),
                    WhenTaken::Nearest => {
                        if let Some((other, place)) = self.nearest_free(i, &owned) {
                            self.arms[i].assign(Task::Food(other, when_taken), place);
                        }
                    }
                }
            } else {
                self.arms[i].follow(food.position);
            }
        }
    }

    /// The food nearest to an arm's tip that nobody holds or is sent to.
    fn nearest_free(
        &self,
        arm: usize,
        owned: &[Option<ObjectId>; ARMS],
    ) -> Option<(ObjectId, Point)> {
        let tip = self.arms[arm].arm.tip();
        let is_claimed = |id| {
            owned.contains(&Some(id))
                || self.arms.iter().any(|a| a.is_active && a.task.food() == Some(id))
        };
        let free = self.objects.all().iter();
        let free = free.filter(|o| o.kind == Kind::Food && !is_claimed(o.id));
        let nearest = free.min_by(|a, b| {
            let (da, db) = (a.position.distance(tip), b.position.distance(tip));
            da.total_cmp(&db).then_with(|| compare_objects(a, b))
        });
        nearest.map(|o| (o.id, o.position))
    }

    fn allocate_food(&mut self) {
        let owned = self.owned();
        let mut seekers = [None; ARMS];
        for (seeker, arm) in seekers.iter_mut().zip(&self.arms) {
            let is_free = !arm.is_active && arm.grip.is_none() && arm.calm_ticks.is_none();
            *seeker = is_free.then(|| Seeker {
                tip: arm.arm.tip(),
                base: arm.arm.base(),
                reach: arm.arm.parameters().reach(),
            });
        }
        let mut ranked = core::mem::take(&mut self.ranked);
        ranked.clear();
        let is_claimed = |id| {
            owned.contains(&Some(id))
                || self.arms.iter().any(|a| a.is_active && a.task.food() == Some(id))
        };
        // Selection by rank, so that the scratch needs no more than ids and places.
        let foods = || self.objects.all().iter().filter(|o| o.kind == Kind::Food);
        let ahead = |a: &crate::objects::Object, b: &crate::objects::Object| {
            b.reward.total_cmp(&a.reward).then_with(|| compare_objects(a, b))
        };
        let mut last: Option<&crate::objects::Object> = None;
        while ranked.len() < ARMS {
            let later = foods().filter(|o| last.is_none_or(|l| ahead(l, o).is_lt()));
            let Some(food) = later.min_by(|a, b| ahead(a, b)) else { break };
            last = Some(food);
            if !is_claimed(food.id) {
                ranked.push((food.id, food.position));
            }
        }
        let mut places = [Point::default(); ARMS];
        places.iter_mut().zip(&ranked).for_each(|(place, food)| *place = food.1);
        let found = allocate(&seekers, &places[..ranked.len()]);
        for assignment in found.assignments.iter().flatten() {
            let (id, place) = ranked[assignment.food];
            self.arms[assignment.arm].assign(Task::Food(id, WhenTaken::Nearest), place);
        }
        if found.assignments.iter().any(Option::is_some) {
            self.allocation = found;
        }
        self.ranked = ranked;
    }

    /// Intentions, grants, and what each arm may do.
    fn arbitrate(&mut self) {
        let is_critical = self.hazards.any_critical();
        let calm_needed = self.step.ticks_in(limits::CALM_SECONDS);
        for i in 0..ARMS {
            self.tend_withdrawal(i, is_critical, calm_needed);
        }
        for i in 0..ARMS {
            self.intentions[i] = self.intention(i);
        }
        let owned = self.owned();
        let offers = self.offers;
        let may_share = |arm: usize, food: ObjectId| {
            (0..ARMS).any(|giver| owned[giver] == Some(food) && offers[giver] == Some(arm))
        };
        let grants = *self.arbiter.settle(self.tick, &self.intentions, may_share);
        for (i, arm) in self.arms.iter_mut().enumerate() {
            arm.permit = match arm.permit {
                Permit::Withdraw | Permit::Recoil(_) => arm.permit,
                _ if grants[i].yields && arm.is_active => Permit::Yield,
                _ => Permit::Act,
            };
            if arm.permit != Permit::Act {
                arm.forget_candidate();
            }
        }
    }

    /// Sets an arm's permit to withdraw or recoil, or back to act.
    fn tend_withdrawal(&mut self, i: usize, is_critical: bool, calm_needed: u64) {
        let arm = &mut self.arms[i];
        if is_critical {
            if arm.grip.is_some() {
                arm.release();
                self.offers[i] = None;
                self.safety_releases += 1;
            }
            arm.calm_ticks = Some(0);
            arm.permit = Permit::Withdraw;
            return;
        }
        if let Some(calm) = arm.calm_ticks {
            if calm < calm_needed {
                arm.calm_ticks = Some(calm + 1);
                return;
            }
            arm.calm_ticks = None;
            arm.law.as_dyn().retarget();
        }
        let was_recoiling = matches!(arm.permit, Permit::Recoil(_));
        let reach = if was_recoiling { limits::RECOIL_END } else { limits::RECOIL_START };
        let mut share = 0.0_f64;
        for hazard in self.hazards.all() {
            let zone = hazard.zone();
            if zone.radius > 0.0 && arm.gap_to(&zone) < reach {
                share = share.max(hazard.severity);
            }
        }
        arm.permit = if share > 0.0 {
            Permit::Recoil(share.max(limits::RECOIL_SHARE_MIN))
        } else {
            if was_recoiling {
                arm.law.as_dyn().retarget();
            }
            Permit::Act
        };
    }

    fn intention(&self, i: usize) -> Intention {
        let arm = &self.arms[i];
        let holds = arm.held();
        let base = Intention { holds, ..Intention::default() };
        match arm.permit {
            Permit::Withdraw => return Intention { priority: Priority::Withdrawal, ..base },
            Permit::Recoil(_) => return Intention { priority: Priority::Avoidance, ..base },
            _ => {}
        }
        if !arm.is_active {
            let priority = if holds.is_some() { Priority::Grip } else { Priority::Idle };
            return Intention { priority, ..base };
        }
        let place = match arm.task {
            Task::Place(place) => Some(place),
            Task::Food(..) | Task::None => None,
        };
        let discovery = if matches!(arm.task, Task::Place(_)) && holds.is_none() {
            self.discovery(i)
        } else {
            None
        };
        let is_grasping = arm.candidate.is_some();
        let priority = if arm.is_avoiding {
            Priority::Avoidance
        } else if holds.is_some() || is_grasping {
            Priority::Grip
        } else if place.is_some() || arm.task.food().is_some() {
            Priority::Reaching
        } else {
            Priority::Discovery
        };
        Intention { priority, holds, food: arm.task.food(), place, discovery }
    }

    /// Food an arm without a named task has met and nobody else holds or is sent to.
    fn discovery(&self, i: usize) -> Option<ObjectId> {
        let is_taken = |id| {
            self.arms.iter().enumerate().any(|(j, other)| {
                let is_sent = other.is_active && other.task.food() == Some(id);
                j != i && (other.held() == Some(id) || is_sent)
            })
        };
        let arm = &self.arms[i];
        let order = self.order();
        if arm.contacts.is_empty() {
            return None;
        }
        let found =
            grasp_candidate(&arm.contacts, self.objects.all(), order, |id| !is_taken(id));
        found.map(|(id, _)| id)
    }

    /// Every arm in the order of its number.
    fn act(&mut self) {
        let mut owned = self.owned();
        let order = self.order();
        let dt = f64::from(self.step.numerator()) / f64::from(self.step.denominator());
        let around = Surroundings {
            obstacles: &self.zones,
            obstacle_revision: self.zones_revision,
            payload: None,
            dt,
            tick: self.tick,
        };
        for i in 0..ARMS {
            let permit = self.arms[i].permit;
            if let Permit::Withdraw | Permit::Recoil(_) = permit {
                self.urges.clear();
                let is_critical = permit == Permit::Withdraw;
                let hazards = self.hazards.all().iter().filter(|h| h.is_critical == is_critical);
                self.urges.extend(hazards.map(|h| if is_critical { h.disc() } else { h.zone() }));
                let (margin, share) = match permit {
                    Permit::Recoil(share) => (limits::RECOIL_MARGIN, share),
                    _ => (limits::WITHDRAW_MARGIN, 1.0),
                };
                let urge = Urge { zones: &self.urges, margin, share };
                self.arms[i].withdraw(&mut self.objects, &urge, &around, order);
                continue;
            }
            if permit == Permit::Yield {
                self.arms[i].sense(&self.objects, order);
                continue;
            }
            let offered = self.settings.hand_over.then(|| {
                (0..ARMS).find(|giver| self.offers[*giver] == Some(i) && owned[*giver].is_some())
            });
            let giver = offered.flatten();
            let mut visible = owned;
            if let Some(giver) = giver {
                visible[giver] = None;
            }
            let only = self.settings.arbitration.then(|| self.arbiter.grants[i].food);
            let grants = Grants { owned: &visible, only, order };
            let (before, rest) = self.arms.split_at_mut(i);
            let Some((arm, after)) = rest.split_first_mut() else { continue };
            let separation =
                Separation { settings: self.settings.separation, others: [before, after] };
            let Some(food) = arm.act(&mut self.objects, grants, &around, &separation) else {
                continue;
            };
            if let Some(giver) = giver.filter(|giver| owned[*giver] == Some(food)) {
                self.arms[giver].release();
                self.offers[giver] = None;
                owned[giver] = None;
            }
            owned[i] = Some(food);
            let at = (self.captures % REPORTS_KEPT as u64) as usize;
            self.reports[at] = Some(CaptureReport { arm: i, object: food, tick: self.tick });
            self.captures += 1;
        }
    }
}
