//! The centre's own work: tasks that follow food, allocation, intentions and permits.

use super::{Octopus, limits};
use crate::allocation::{Seeker, allocate};
use crate::arbitration::{Intention, Priority};
use crate::constants::ARMS;
use crate::contact::grasp_candidate;
use crate::controlled::Permit;
use crate::objects::{Kind, Object, ObjectId, compare_objects};
use crate::task::{Task, WhenTaken};
use crate::vector::Point;

impl Octopus {
    /// Named food: follows it, and applies the rule for food that is taken or gone.
    pub(super) fn tend_tasks(&mut self) {
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

    pub(super) fn allocate_food(&mut self) {
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
        let ahead = |a: &Object, b: &Object| {
            b.reward.total_cmp(&a.reward).then_with(|| compare_objects(a, b))
        };
        let mut last: Option<&Object> = None;
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
    pub(super) fn arbitrate(&mut self) {
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
        let found = grasp_candidate(&arm.contacts, self.objects.all(), order, |id| !is_taken(id));
        found.map(|(id, _)| id)
    }
}
