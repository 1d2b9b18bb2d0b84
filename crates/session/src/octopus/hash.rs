//! Hash of everything an octopus goes on from.

use tropism_core::StateHash;
use tropism_octopus::snapshot::{ArmSnapshot, LawSnapshot};
use tropism_octopus::{LawKind, Octopus, Permit, Point, Settings, Task};

/// The model's own hash, with tasks, laws, hazards and the set-up added.
pub(super) fn hash(octopus: &Octopus) -> u64 {
    let saved = octopus.snapshot();
    let mut hash = StateHash::new();
    hash.word(octopus.state_hash());
    settings(&mut hash, &saved.settings);
    hash.word(u64::from(saved.next_object));
    for object in &saved.objects {
        hash.word(object.kind as u64);
        floats(&mut hash, &[object.radius, object.reward]);
    }
    hash.word(u64::from(saved.last_hazard));
    for hazard in &saved.hazards {
        hash.word(u64::from(hazard.id.0) << 1 | u64::from(hazard.is_critical));
        hash.word(hazard.ticks_left.map_or(u64::MAX, |ticks| ticks));
        place(&mut hash, hazard.position);
        floats(&mut hash, &[hazard.radius, hazard.severity]);
    }
    saved.arms.iter().for_each(|arm| self::arm(&mut hash, arm));
    saved.offers.iter().for_each(|offer| hash.word(offer.map_or(0, |to| to as u64 + 1)));
    for grant in &saved.grants {
        hash.word(grant.food.map_or(0, |food| u64::from(food.0)));
        hash.word(u64::from(grant.yields) << 1 | u64::from(grant.place.is_some()));
        place(&mut hash, grant.place.unwrap_or_default());
    }
    hash.value()
}

fn settings(hash: &mut StateHash, settings: &Settings) {
    let separation = settings.separation;
    let flags = [
        settings.law == LawKind::Reach,
        settings.arbitration,
        settings.allocation,
        settings.hand_over,
        separation.arms,
        separation.own,
        separation.body,
    ];
    words(hash, flags);
    floats(hash, &[settings.critical_severity, separation.distance]);
}

fn arm(hash: &mut StateHash, arm: &ArmSnapshot) {
    let shape = &arm.parameters;
    hash.word(shape.segment_count() as u64);
    floats(hash, &[shape.segment_length(), shape.maximum_bend(), shape.turning_speed()]);
    match arm.task {
        Task::None => hash.word(0),
        Task::Place(at) => {
            hash.word(1);
            place(hash, at);
        }
        Task::Food(food, when) => {
            hash.word(2 + when as u64);
            hash.word(u64::from(food.0));
        }
    }
    let flags = [arm.is_active, arm.is_blocked, arm.is_avoiding, arm.is_retracting];
    words(hash, flags);
    if let Some(grip) = arm.grip {
        hash.word(grip.segment as u64);
        place(hash, grip.offset);
    }
    hash.word(u64::from(arm.carry_goal.is_some()));
    place(hash, arm.carry_goal.unwrap_or_default());
    let (food, segment) = arm.candidate.map_or((0, 0), |(id, segment)| (id.0, segment));
    hash.word(u64::from(food));
    hash.word(segment as u64);
    let (permit, share) = match arm.permit {
        Permit::Act => (0, 0.0),
        Permit::Yield => (1, 0.0),
        Permit::Withdraw => (2, 0.0),
        Permit::Recoil(share) => (3, share),
    };
    hash.word(permit);
    floats(hash, &[share]);
    hash.word(arm.calm_ticks.map_or(u64::MAX, |ticks| ticks));
    match &arm.law {
        LawSnapshot::Reference(requests) => {
            for request in requests {
                place(hash, request.start);
                floats(hash, &[request.heading]);
            }
        }
        LawSnapshot::Reach(reach) => {
            let counts = [reach.round, reach.attempt, reach.plan_ticks, reach.retreat_ticks];
            words(hash, counts);
            hash.word(reach.phase as u64);
            hash.word(u64::from(reach.refusals));
            hash.word(reach.stop as u64);
            let flags = [reach.has_detour, reach.is_miss, reach.knows_obstacles];
            words(hash, flags);
            place(hash, reach.aim);
            floats(hash, &[reach.clearance]);
            floats(hash, &reach.route);
        }
    }
}

fn place(hash: &mut StateHash, at: Point) {
    floats(hash, &[at.x, at.y]);
}

fn floats(hash: &mut StateHash, values: &[f64]) {
    for value in values {
        hash.word(value.to_bits());
    }
}

fn words<W: Into<u64>>(hash: &mut StateHash, values: impl IntoIterator<Item = W>) {
    for value in values {
        hash.word(value.into());
    }
}
