//! What can be told to an octopus: changes of the scene, hazards, assignments.

use super::{CommandError, Octopus, Settings};
use crate::arm::ArmParameters;
use crate::constants::ARMS;
use crate::contact::CandidateOrder;
use crate::controlled::{ControlledArm, Permit};
use crate::hazard::{HazardError, HazardId};
use crate::law::LawKind;
use crate::objects::{Kind, ObjectError, ObjectId};
use crate::task::{Task, WhenTaken};
use crate::vector::Point;

impl Octopus {
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

    // ---- set-up ----

    /// Changes how the octopus is set up, from the next tick on; its room for objects stays.
    ///
    /// Under another law every arm starts afresh from the pose it has. Without arbitration no arm
    /// yields or withdraws any more, and what was granted is forgotten.
    pub fn reconfigure(&mut self, settings: Settings) {
        let object_capacity = self.settings.object_capacity;
        if settings.law != self.settings.law {
            let capacity = self.zones.capacity();
            self.arms.iter_mut().for_each(|arm| arm.set_law(settings.law, capacity));
        }
        if !settings.arbitration {
            for arm in &mut self.arms {
                (arm.permit, arm.calm_ticks) = (Permit::Act, None);
            }
            self.intentions = Default::default();
            self.arbiter.grants = Default::default();
            self.arbiter.standings = Default::default();
        }
        if !(settings.arbitration && settings.hand_over) {
            self.offers = Default::default();
        }
        self.settings = Settings { object_capacity, ..settings };
        self.forget_zones();
    }

    pub(super) fn order(&self) -> CandidateOrder {
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
}
