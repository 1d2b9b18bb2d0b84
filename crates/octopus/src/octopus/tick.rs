//! One tick: zones, arms in order, sensing.

use super::{CaptureReport, Octopus, limits};
use crate::constants::{ARMS, BODY_RADIUS, REPORTS_KEPT};
use crate::controlled::{Grants, Leave, Permit};
use crate::law::{LawKind, Surroundings};
use crate::objects::{Disc, ObjectId, compare_discs};
use crate::retreat::Urge;
use crate::separation::Separation;

impl Octopus {
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
            self.refresh_sensing();
            self.arbitrate();
        }
        self.act();
        self.refresh_sensing();
    }

    /// True when the circles fit the objects and hazards as they are.
    pub(crate) fn zones_are_fresh(&self) -> bool {
        self.zones_from == Some((self.objects.obstacle_revision(), self.hazards.revision()))
    }

    /// Makes the next tick build the circles anew.
    pub(crate) fn forget_zones(&mut self) {
        self.zones_from = None;
    }

    /// What the arms can know of the world in this tick.
    pub(crate) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            obstacles: &self.zones,
            obstacle_revision: self.zones_revision,
            payload: None,
            dt: self.dt(),
            tick: self.tick,
        }
    }

    pub(crate) fn refresh_zones(&mut self) {
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
            let zones = lesser.map(crate::hazard::Hazard::zone).filter(|zone| zone.radius > 0.0);
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

    pub(super) fn owned(&self) -> [Option<ObjectId>; ARMS] {
        let mut owned = [None; ARMS];
        for (slot, arm) in owned.iter_mut().zip(&self.arms) {
            *slot = arm.held();
        }
        owned
    }

    /// The length of a tick, s.
    fn dt(&self) -> f64 {
        f64::from(self.step.numerator()) / f64::from(self.step.denominator())
    }

    /// Every arm in the order of its number.
    fn act(&mut self) {
        let mut owned = self.owned();
        for i in 0..ARMS {
            match self.arms[i].permit {
                Permit::Withdraw => self.retreat(i, None),
                Permit::Recoil(share) => self.retreat(i, Some(share)),
                Permit::Yield => {
                    let order = self.order();
                    self.arms[i].sense(&self.objects, order);
                }
                Permit::Act => self.act_one(i, &mut owned),
            }
        }
    }

    /// Withdrawal from critical hazards, or recoil from lesser ones at a share of full speed.
    fn retreat(&mut self, i: usize, recoil: Option<f64>) {
        let (order, dt) = (self.order(), self.dt());
        let is_critical = recoil.is_none();
        self.urges.clear();
        let hazards = self.hazards.all().iter().filter(|h| h.is_critical == is_critical);
        self.urges.extend(hazards.map(|h| if is_critical { h.disc() } else { h.zone() }));
        let margin = if is_critical { limits::WITHDRAW_MARGIN } else { limits::RECOIL_MARGIN };
        let urge = Urge { zones: &self.urges, margin, share: recoil.unwrap_or(1.0) };
        // A lesser hazard's zone may not bar the way out of itself and of others.
        let around = Surroundings {
            obstacles: &self.zones,
            obstacle_revision: self.zones_revision,
            payload: None,
            dt,
            tick: self.tick,
        };
        let (before, rest) = self.arms.split_at_mut(i);
        if let Some((arm, after)) = rest.split_first_mut() {
            let settings = self.settings.separation;
            let separation = Separation { settings, others: [before, after] };
            arm.withdraw(&mut self.objects, &urge, &around, &separation, order);
        }
    }

    /// An arm with leave to act.
    fn act_one(&mut self, i: usize, owned: &mut [Option<ObjectId>; ARMS]) {
        let (order, dt) = (self.order(), self.dt());
        let is_giver = |giver: &usize| self.offers[*giver] == Some(i) && owned[*giver].is_some();
        let giver = (0..ARMS).find(is_giver);
        let mut visible = *owned;
        if let Some(giver) = giver {
            visible[giver] = None;
        }
        let leave = if self.settings.arbitration {
            Leave::Only(self.arbiter.grants[i].food)
        } else {
            Leave::Any
        };
        let grants = Grants { owned: &visible, leave, order };
        let around = Surroundings {
            obstacles: &self.zones,
            obstacle_revision: self.zones_revision,
            payload: None,
            dt,
            tick: self.tick,
        };
        let (before, rest) = self.arms.split_at_mut(i);
        let Some((arm, after)) = rest.split_first_mut() else { return };
        let settings = self.settings.separation;
        let separation = Separation { settings, others: [before, after] };
        let captured = arm.act(&mut self.objects, grants, &around, &separation);
        if let Some(food) = captured {
            if let Some(giver) = giver.filter(|giver| owned[*giver] == Some(food)) {
                self.arms[giver].release();
                self.offers[giver] = None;
                owned[giver] = None;
            }
            owned[i] = Some(food);
            self.report(CaptureReport { arm: i, object: food, tick: self.tick });
        }
    }

    pub(crate) fn report(&mut self, report: CaptureReport) {
        let at = (self.captures % REPORTS_KEPT as u64) as usize;
        self.reports[at] = Some(report);
        self.captures += 1;
    }
}
