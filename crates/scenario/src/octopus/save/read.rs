//! Reading a state, as strictly as everything else.

use tropism_core::Tick;
use tropism_octopus::allocation::{Allocation, Assignment};
use tropism_octopus::arbitration::{Grant, Outcome, Priority, Reason, Resource};
use tropism_octopus::constants::ARMS;
use tropism_octopus::grip::Grip;
use tropism_octopus::hazard::{Hazard, HazardId};
use tropism_octopus::reach::{Phase, SavedReach};
use tropism_octopus::reference::Request;
use tropism_octopus::snapshot::{ArmSnapshot, LawSnapshot, Snapshot};
use tropism_octopus::{
    ArmParameters, CaptureReport, Kind, Object, ObjectId, Permit, Point, Settings, Task, WhenTaken,
};

use super::super::build::time_step;
use super::super::field::{Field, FormatError};
use super::super::format::Scenario;
use super::write::{PHASES, PRIORITIES, REASONS};

type Read<T> = Result<T, FormatError>;

const STATE_KEYS: &[&str] = &[
    "tick",
    "object_capacity",
    "objects",
    "next_object",
    "hazards",
    "last_hazard",
    "captures",
    "reports",
    "safety_releases",
    "conflicts",
    "outcomes",
    "grants",
    "standings",
    "offers",
    "allocation",
    "allocation_cost",
    "zones_are_fresh",
    "arms",
];
const ARM_KEYS: &[&str] = &[
    "parameters",
    "angles",
    "target",
    "task",
    "active",
    "blocked",
    "avoiding",
    "grip",
    "carry_goal",
    "retracting",
    "candidate",
    "dwell",
    "permit",
    "recoil_share",
    "calm_ticks",
    "law",
];
const REACH_KEYS: &[&str] = &[
    "phase",
    "round",
    "attempt",
    "plan_ticks",
    "aim",
    "clearance",
    "route",
    "stop",
    "has_detour",
    "is_miss",
    "retreat_ticks",
    "refusals",
    "knows_obstacles",
];
/// Most objects a saved file may make room for.
const CAPACITY_MAX: i64 = 4096;

/// A list with exactly so many entries.
fn list<'a>(field: &'a Field<'a>, count: usize) -> Read<Vec<Field<'a>>> {
    let items: Vec<_> = field.items()?.collect();
    if items.len() == count {
        Ok(items)
    } else {
        Err(field.error(format!("a list of {count} is expected")))
    }
}

fn count(field: &Field<'_>) -> Read<u64> {
    Ok(field.integer(0..=i64::MAX)? as u64)
}

fn small(field: &Field<'_>) -> Read<u32> {
    Ok(field.integer(0..=i64::from(u32::MAX))? as u32)
}

fn maybe<T>(field: &Field<'_>, read: impl Fn(&Field<'_>) -> Read<T>) -> Read<Option<T>> {
    if field.json.is_null() { Ok(None) } else { read(field).map(Some) }
}

fn id(field: &Field<'_>) -> Read<ObjectId> {
    small(field).map(ObjectId)
}

fn place(field: &Field<'_>) -> Read<Point> {
    field.point()
}

fn value(field: &Field<'_>) -> Read<f64> {
    field.number()
}

fn arm_index(field: &Field<'_>) -> Read<usize> {
    Ok(field.integer(0..=ARMS as i64 - 1)? as usize)
}

fn eight<T>(field: &Field<'_>, read: impl Fn(&Field<'_>) -> Read<T>) -> Read<[T; ARMS]> {
    let items: Vec<T> = list(field, ARMS)?.iter().map(read).collect::<Read<_>>()?;
    let eight: Result<[T; ARMS], _> = items.try_into();
    eight.map_err(|items| field.error(format!("{} entries instead of eight", items.len())))
}

fn all<T>(field: &Field<'_>, read: impl Fn(&Field<'_>) -> Read<T>) -> Read<Vec<T>> {
    field.items()?.map(|item| read(&item)).collect()
}

/// Reads a state; body, law and switches come from the scenario.
pub(super) fn state(root: &Field<'_>, scenario: &Scenario) -> Read<Snapshot> {
    root.expect_keys(STATE_KEYS)?;
    let capacity = root.need("object_capacity")?.integer(0..=CAPACITY_MAX)? as usize;
    let settings = Settings { object_capacity: capacity, ..scenario.settings(None) };
    let allocation = Allocation {
        assignments: eight(&root.need("allocation")?, |f| maybe(f, assignment))?,
        cost: root.need("allocation_cost")?.number()?,
    };
    Ok(Snapshot {
        body: scenario.body,
        step: time_step(),
        settings,
        tick: Tick(count(&root.need("tick")?)?),
        objects: all(&root.need("objects")?, object)?,
        next_object: small(&root.need("next_object")?)?,
        hazards: all(&root.need("hazards")?, hazard)?,
        last_hazard: small(&root.need("last_hazard")?)?,
        arms: all(&root.need("arms")?, arm)?,
        reports: all(&root.need("reports")?, report)?,
        captures: count(&root.need("captures")?)?,
        safety_releases: count(&root.need("safety_releases")?)?,
        grants: eight(&root.need("grants")?, grant)?,
        standings: eight(&root.need("standings")?, |f| {
            let items = list(f, 2)?;
            Ok((maybe(&items[0], id)?, maybe(&items[1], arm_index)?))
        })?,
        outcomes: all(&root.need("outcomes")?, outcome)?,
        conflicts: count(&root.need("conflicts")?)?,
        offers: eight(&root.need("offers")?, |f| maybe(f, arm_index))?,
        allocation,
        zones_are_fresh: root.need("zones_are_fresh")?.boolean()?,
    })
}

fn assignment(field: &Field<'_>) -> Read<Assignment> {
    let items = list(field, 3)?;
    Ok(Assignment {
        arm: arm_index(&items[0])?,
        food: arm_index(&items[1])?,
        cost: items[2].number()?,
    })
}

fn object(field: &Field<'_>) -> Read<Object> {
    let items = list(field, 6)?;
    let kinds = [Kind::Food, Kind::Obstacle];
    Ok(Object {
        id: id(&items[0])?,
        kind: kinds[items[1].one_of(&["Food", "Obstacle"])?],
        position: Point::new(items[2].number()?, items[3].number()?),
        radius: items[4].positive()?,
        reward: items[5].number()?,
    })
}

fn hazard(field: &Field<'_>) -> Read<Hazard> {
    let items = list(field, 7)?;
    Ok(Hazard {
        id: HazardId(small(&items[0])?),
        position: Point::new(items[1].number()?, items[2].number()?),
        radius: items[3].positive()?,
        severity: items[4].number()?,
        ticks_left: maybe(&items[5], count)?,
        is_critical: items[6].boolean()?,
    })
}

fn report(field: &Field<'_>) -> Read<CaptureReport> {
    let items = list(field, 3)?;
    Ok(CaptureReport {
        arm: arm_index(&items[0])?,
        object: id(&items[1])?,
        tick: Tick(count(&items[2])?),
    })
}

fn grant(field: &Field<'_>) -> Read<Grant> {
    let items = list(field, 3)?;
    Ok(Grant {
        food: maybe(&items[0], id)?,
        place: maybe(&items[1], place)?,
        yields: items[2].boolean()?,
    })
}

fn outcome(field: &Field<'_>) -> Read<Outcome> {
    let items = list(field, 8)?;
    let resource = match (maybe(&items[1], id)?, maybe(&items[2], place)?) {
        (Some(food), None) => Resource::Food(food),
        (None, Some(place)) => Resource::Place(place),
        _ => return Err(field.error("either a food or a place is expected")),
    };
    let priority = |f: &Field<'_>| -> Read<Priority> {
        let value = f.integer(0..=100)?;
        let found = PRIORITIES.iter().find(|p| i64::from(p.value()) == value);
        found.copied().ok_or_else(|| f.error("no priority has this number"))
    };
    Ok(Outcome {
        tick: Tick(count(&items[0])?),
        resource,
        winner: arm_index(&items[3])?,
        loser: arm_index(&items[4])?,
        reason: REASONS[items[5].one_of(&REASONS.map(Reason::as_str))?],
        priorities: (priority(&items[6])?, priority(&items[7])?),
    })
}

fn task(field: &Field<'_>) -> Read<Task> {
    if field.json.is_null() {
        return Ok(Task::None);
    }
    field.expect_keys(&["position", "object", "when_taken"])?;
    if let Some(place) = field.get("position") {
        return Ok(Task::Place(place.point()?));
    }
    let words = [WhenTaken::Wait, WhenTaken::Free, WhenTaken::Nearest];
    let when = field.need("when_taken")?.one_of(&words.map(WhenTaken::as_str))?;
    Ok(Task::Food(id(&field.need("object")?)?, words[when]))
}

fn grip(field: &Field<'_>) -> Read<Grip> {
    let items = list(field, 4)?;
    Ok(Grip {
        object: id(&items[0])?,
        segment: small(&items[1])? as usize,
        offset: Point::new(items[2].number()?, items[3].number()?),
    })
}

fn arm(field: &Field<'_>) -> Read<ArmSnapshot> {
    field.expect_keys(ARM_KEYS)?;
    let parameters_field = field.need("parameters")?;
    let p = list(&parameters_field, 4)?;
    let parameters =
        ArmParameters::new(small(&p[0])? as usize, p[1].number()?, p[2].number()?, p[3].number()?);
    let permits = ["act", "yield", "withdraw", "recoil"];
    let permit = match permits[field.need("permit")?.one_of(&permits)?] {
        "act" => Permit::Act,
        "yield" => Permit::Yield,
        "withdraw" => Permit::Withdraw,
        _ => Permit::Recoil(field.need("recoil_share")?.number()?),
    };
    Ok(ArmSnapshot {
        parameters: parameters.map_err(|e| parameters_field.error(e.to_string()))?,
        angles: all(&field.need("angles")?, value)?,
        target: field.need("target")?.point()?,
        task: task(&field.need("task")?)?,
        is_active: field.need("active")?.boolean()?,
        is_blocked: field.need("blocked")?.boolean()?,
        is_avoiding: field.need("avoiding")?.boolean()?,
        grip: maybe(&field.need("grip")?, grip)?,
        carry_goal: maybe(&field.need("carry_goal")?, place)?,
        is_retracting: field.need("retracting")?.boolean()?,
        candidate: maybe(&field.need("candidate")?, |f| {
            let items = list(f, 2)?;
            Ok((id(&items[0])?, small(&items[1])? as usize))
        })?,
        dwell: field.need("dwell")?.number()?,
        permit,
        calm_ticks: maybe(&field.need("calm_ticks")?, count)?,
        law: law(&field.need("law")?)?,
    })
}

fn law(field: &Field<'_>) -> Read<LawSnapshot> {
    if let Some(requests) = field.get("requests") {
        field.expect_keys(&["requests"])?;
        let flat = all(&requests, value)?;
        if flat.len() % 3 != 0 {
            return Err(requests.error("three numbers per segment are expected"));
        }
        let request = |n: &[f64]| Request { start: Point::new(n[0], n[1]), heading: n[2] };
        return Ok(LawSnapshot::Reference(flat.chunks_exact(3).map(request).collect()));
    }
    field.expect_keys(REACH_KEYS)?;
    let phases = [
        Phase::Fresh,
        Phase::Goals,
        Phase::Routing,
        Phase::Shortening,
        Phase::Following,
        Phase::Creeping,
        Phase::Arrived,
        Phase::Unreachable,
    ];
    Ok(LawSnapshot::Reach(SavedReach {
        phase: phases[field.need("phase")?.one_of(&PHASES)?],
        round: small(&field.need("round")?)?,
        attempt: small(&field.need("attempt")?)?,
        plan_ticks: small(&field.need("plan_ticks")?)?,
        aim: field.need("aim")?.point()?,
        clearance: field.need("clearance")?.number()?,
        route: all(&field.need("route")?, value)?,
        stop: small(&field.need("stop")?)? as usize,
        has_detour: field.need("has_detour")?.boolean()?,
        is_miss: field.need("is_miss")?.boolean()?,
        retreat_ticks: small(&field.need("retreat_ticks")?)?,
        refusals: small(&field.need("refusals")?)?,
        knows_obstacles: field.need("knows_obstacles")?.boolean()?,
    }))
}
