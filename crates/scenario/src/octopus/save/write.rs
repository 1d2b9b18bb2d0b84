//! Writing a state.

use tropism_octopus::arbitration::{Grant, Outcome, Priority, Reason, Resource};
use tropism_octopus::snapshot::{ArmSnapshot, LawSnapshot, Snapshot};
use tropism_octopus::{ControlledArm, ObjectId, Permit, Point, Task};

use super::super::json::{Json, array, boolean, integer, null, number, object, text};
use super::super::trace::{kind_name, point};

/// Names of the reach law's phases in files.
pub(super) const PHASES: [&str; 8] =
    ["fresh", "goals", "routing", "shortening", "following", "creeping", "arrived", "unreachable"];
/// Reasons of outcomes in files.
pub(super) const REASONS: [Reason; 4] =
    [Reason::Owner, Reason::Assigned, Reason::Incumbent, Reason::LowestNumber];
/// Priorities in files, by their number.
pub(super) const PRIORITIES: [Priority; 6] = [
    Priority::Idle,
    Priority::Discovery,
    Priority::Reaching,
    Priority::Grip,
    Priority::Avoidance,
    Priority::Withdrawal,
];

fn maybe<T>(value: Option<T>, write: impl Fn(T) -> Json) -> Json {
    value.map_or(null(), write)
}

fn id(id: ObjectId) -> Json {
    integer(u64::from(id.0))
}

fn index(i: usize) -> Json {
    integer(i as u64)
}

/// An arm as scenario files describe it.
pub(super) fn plain_arm(i: usize, arm: &ControlledArm) -> Json {
    let parameters = arm.arm().parameters();
    let mut entries = vec![
        ("number", integer(i as u64 + 1)),
        (
            "parameters",
            object(vec![
                ("segment_count", integer(parameters.segment_count() as u64)),
                ("segment_length", number(parameters.segment_length())),
                ("maximum_bend_degrees", number(parameters.maximum_bend().to_degrees().min(180.0))),
                ("turning_speed_degrees", number(parameters.turning_speed().to_degrees())),
            ]),
        ),
    ];
    if arm.is_active() {
        let target = if let Task::Food(food, when) = arm.task() {
            object(vec![
                ("food", text(&format!("food-{}", food.0))),
                ("when_taken", text(when.as_str())),
            ])
        } else {
            let goal = arm.carry_goal().filter(|_| arm.grip().is_some());
            object(vec![("position", point(goal.unwrap_or(arm.target())))])
        };
        entries.push(("target", target));
    }
    object(entries)
}

/// A whole state.
pub(super) fn state(s: &Snapshot) -> Json {
    let objects = s.objects.iter().map(|o| {
        array([
            id(o.id),
            text(kind_name(o.kind)),
            number(o.position.x),
            number(o.position.y),
            number(o.radius),
            number(o.reward),
        ])
    });
    let hazards = s.hazards.iter().map(|h| {
        array([
            integer(u64::from(h.id.0)),
            number(h.position.x),
            number(h.position.y),
            number(h.radius),
            number(h.severity),
            maybe(h.ticks_left, integer),
            boolean(h.is_critical),
        ])
    });
    let reports = s.reports.iter().map(|r| array([index(r.arm), id(r.object), integer(r.tick.0)]));
    let standings =
        s.standings.iter().map(|(food, winner)| array([maybe(*food, id), maybe(*winner, index)]));
    let assignments = s
        .allocation
        .assignments
        .iter()
        .map(|a| maybe(*a, |a| array([index(a.arm), index(a.food), number(a.cost)])));
    object(vec![
        ("tick", integer(s.tick.0)),
        ("object_capacity", index(s.settings.object_capacity)),
        ("objects", array(objects)),
        ("next_object", integer(u64::from(s.next_object))),
        ("hazards", array(hazards)),
        ("last_hazard", integer(u64::from(s.last_hazard))),
        ("captures", integer(s.captures)),
        ("reports", array(reports)),
        ("safety_releases", integer(s.safety_releases)),
        ("conflicts", integer(s.conflicts)),
        ("outcomes", array(s.outcomes.iter().map(outcome))),
        ("grants", array(s.grants.iter().map(grant))),
        ("standings", array(standings)),
        ("offers", array(s.offers.iter().map(|o| maybe(*o, index)))),
        ("allocation", array(assignments)),
        ("allocation_cost", number(s.allocation.cost)),
        ("zones_are_fresh", boolean(s.zones_are_fresh)),
        ("arms", array(s.arms.iter().map(arm))),
    ])
}

fn grant(g: &Grant) -> Json {
    array([maybe(g.food, id), maybe(g.place, point), boolean(g.yields)])
}

fn outcome(o: &Outcome) -> Json {
    let (food, place) = match o.resource {
        Resource::Food(food) => (id(food), null()),
        Resource::Place(place) => (null(), point(place)),
    };
    array([
        integer(o.tick.0),
        food,
        place,
        index(o.winner),
        index(o.loser),
        text(o.reason.as_str()),
        integer(u64::from(o.priorities.0.value())),
        integer(u64::from(o.priorities.1.value())),
    ])
}

fn arm(a: &ArmSnapshot) -> Json {
    let p = &a.parameters;
    let task = match a.task {
        Task::None => null(),
        Task::Place(place) => object(vec![("position", point(place))]),
        Task::Food(food, when) => {
            object(vec![("object", id(food)), ("when_taken", text(when.as_str()))])
        }
    };
    let grip = maybe(a.grip, |g| {
        array([id(g.object), index(g.segment), number(g.offset.x), number(g.offset.y)])
    });
    let (permit, share) = match a.permit {
        Permit::Act => ("act", None),
        Permit::Yield => ("yield", None),
        Permit::Withdraw => ("withdraw", None),
        Permit::Recoil(share) => ("recoil", Some(share)),
    };
    object(vec![
        (
            "parameters",
            array([
                index(p.segment_count()),
                number(p.segment_length()),
                number(p.maximum_bend()),
                number(p.turning_speed()),
            ]),
        ),
        ("angles", array(a.angles.iter().map(|x| number(*x)))),
        ("target", point(a.target)),
        ("task", task),
        ("active", boolean(a.is_active)),
        ("blocked", boolean(a.is_blocked)),
        ("avoiding", boolean(a.is_avoiding)),
        ("grip", grip),
        ("carry_goal", maybe(a.carry_goal, point)),
        ("retracting", boolean(a.is_retracting)),
        ("candidate", maybe(a.candidate, |c| array([id(c.0), index(c.1)]))),
        ("dwell", number(a.dwell)),
        ("permit", text(permit)),
        ("recoil_share", maybe(share, number)),
        ("calm_ticks", maybe(a.calm_ticks, integer)),
        ("law", law(&a.law)),
    ])
}

fn law(law: &LawSnapshot) -> Json {
    match law {
        LawSnapshot::Reference(requests) => {
            let flat = requests.iter().flat_map(|r| [r.start.x, r.start.y, r.heading]);
            object(vec![("requests", array(flat.map(number)))])
        }
        LawSnapshot::Reach(r) => object(vec![
            ("phase", text(PHASES[r.phase as usize])),
            ("round", integer(u64::from(r.round))),
            ("attempt", integer(u64::from(r.attempt))),
            ("plan_ticks", integer(u64::from(r.plan_ticks))),
            ("aim", aim(r.aim)),
            ("clearance", number(r.clearance)),
            ("route", array(r.route.iter().map(|x| number(*x)))),
            ("stop", index(r.stop)),
            ("has_detour", boolean(r.has_detour)),
            ("is_miss", boolean(r.is_miss)),
            ("retreat_ticks", integer(u64::from(r.retreat_ticks))),
            ("refusals", integer(u64::from(r.refusals))),
            ("knows_obstacles", boolean(r.knows_obstacles)),
        ]),
    }
}

fn aim(at: Point) -> Json {
    point(at)
}
