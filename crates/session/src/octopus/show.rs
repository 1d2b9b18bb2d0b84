//! The octopus after a tick, with reasons in words.

use tropism_octopus::arbitration::{Intention, Outcome, Reason, Resource};
use tropism_octopus::constants::{ARMS, GRASP_DWELL};
use tropism_octopus::{ControlledArm, Kind, ObjectId, Octopus, Permit, State, Status, Task};
use tropism_wire::session::{
    ArmFrame, CaptureFrame, Event, HazardFrame, ObjectFrame, OctopusFrame,
};

use super::describe::point;

/// Conflicts in a frame.
const CONFLICTS_SHOWN: usize = 12;

/// The frame.
pub(super) fn frame(octopus: &Octopus, intentions: &[Intention; ARMS]) -> OctopusFrame {
    let arms = octopus.arms();
    let holder = |id: ObjectId| arms.iter().position(|arm| arm.held() == Some(id));
    let objects = octopus.objects().all().iter().map(|object| ObjectFrame {
        id: object.id.0,
        is_food: object.kind == Kind::Food,
        at: point(object.position),
        radius: object.radius,
        holder: holder(object.id).map(number),
    });
    let hazards = octopus.hazards().all().iter().map(|hazard| HazardFrame {
        id: hazard.id.0,
        at: point(hazard.position),
        radius: hazard.radius,
        severity: hazard.severity,
        is_critical: hazard.is_critical,
        left_s: hazard.ticks_left.map(|ticks| seconds(octopus, ticks)),
    });
    let outcomes: Vec<&Outcome> = octopus.arbiter().outcomes().collect();
    let mut capture_log: Vec<CaptureFrame> =
        octopus.reports().map(|r| capture(octopus, r)).collect();
    capture_log.reverse();
    OctopusFrame {
        arms: (0..ARMS).map(|i| arm_frame(octopus, intentions, i)).collect(),
        objects: objects.collect(),
        hazards: hazards.collect(),
        conflicts: (outcomes.iter().rev().take(CONFLICTS_SHOWN))
            .map(|outcome| conflict(octopus, outcome))
            .collect(),
        safety_releases: octopus.safety_releases() as u32,
        captures: octopus.captures() as u32,
        capture_log,
    }
}

const fn number(index: usize) -> u32 {
    index as u32 + 1
}

fn seconds(octopus: &Octopus, ticks: u64) -> f64 {
    octopus.time_step().seconds_at(tropism_core::Tick(ticks))
}

fn capture(octopus: &Octopus, report: &tropism_octopus::CaptureReport) -> CaptureFrame {
    CaptureFrame {
        arm: number(report.arm),
        object: report.object.0,
        at_s: seconds(octopus, report.tick.0),
    }
}

fn arm_frame(octopus: &Octopus, intentions: &[Intention; ARMS], index: usize) -> ArmFrame {
    let arm = &octopus.arms()[index];
    let pose = arm.arm().pose();
    let target = match (arm.is_active(), arm.grip(), arm.carry_goal()) {
        (false, ..) => None,
        (true, Some(_), Some(goal)) => Some(goal),
        (true, ..) => Some(arm.target()),
    };
    // What is to arrive: held food, else the tip.
    let effector = arm.grip().map_or_else(|| pose.tip(), |grip| grip.centre(pose));
    let reach = arm.arm().parameters().reach();
    ArmFrame {
        joints: pose.points.iter().map(|p| point(*p)).collect(),
        state: arm.state().as_str().to_owned(),
        priority: (octopus.settings().arbitration)
            .then(|| f64::from(intentions[index].priority.value())),
        reason: reason(octopus, index),
        target: target.map(point),
        distance: target.map(|at| at.distance(effector)),
        is_beyond_reach: target.is_some_and(|at| arm.arm().base().distance(at) > reach),
        held: arm.held().map(|id| id.0),
        contacts: arm.contacts().iter().map(|contact| point(contact.point)).collect(),
    }
}

/// Why an arm does what it does.
fn reason(octopus: &Octopus, index: usize) -> String {
    let arm = &octopus.arms()[index];
    match arm.permit() {
        Permit::Withdraw if octopus.hazards().any_critical() => {
            return "withdraws: a critical hazard was reported".to_owned();
        }
        Permit::Withdraw => return "waits for calm after a withdrawal".to_owned(),
        Permit::Recoil(share) => {
            return format!("recoils from a hazard at {:.0} % of full speed", 100.0 * share);
        }
        Permit::Yield => return yields(octopus, index),
        Permit::Act => {}
    }
    let task = task(arm);
    match (arm.state(), arm.status()) {
        (State::Grasping, _) => {
            let food = arm.candidate().map_or(0, |(id, _)| id.0);
            let (dwell, needed) = (arm.dwell(), GRASP_DWELL);
            format!("touches food {food} for {dwell:.2} of {needed:.2} s; {task}")
        }
        (_, _) if !arm.is_active() => task,
        (State::Blocked, _) if octopus_covers(octopus, arm) => {
            format!("{task}; that place is covered by an obstacle")
        }
        (_, Status::Unreachable) => format!("{task}; found no way there"),
        (State::Blocked, _) => format!("{task}; the last movement was refused"),
        (State::Avoiding, _) => format!("{task}; going around obstacles"),
        (State::Reached, _) => format!("{task}; arrived"),
        (_, Status::BeyondReach) => format!("{task}; it is farther than the arm is long"),
        _ => task,
    }
}

/// An obstacle lies over the place the tip is to go to.
fn octopus_covers(octopus: &Octopus, arm: &ControlledArm) -> bool {
    let obstacles = octopus.objects().obstacles().iter();
    let clearance = tropism_octopus::constants::ARM_CLEARANCE;
    obstacles.clone().any(|o| o.centre.distance(arm.target()) < o.radius + clearance)
}

fn task(arm: &ControlledArm) -> String {
    match (arm.held(), arm.is_active(), arm.task()) {
        (Some(food), false, _) => format!("holds food {}", food.0),
        (Some(food), true, _) if arm.is_retracting() => format!("brings food {} home", food.0),
        (Some(food), true, _) => format!("carries food {} to its place", food.0),
        (None, true, Task::Food(food, _)) => format!("sent for food {}", food.0),
        (None, true, _) => "sent to a place".to_owned(),
        (None, false, _) => "no task".to_owned(),
    }
}

/// To whom an arm yields.
fn yields(octopus: &Octopus, index: usize) -> String {
    let last = octopus.arbiter().outcomes().filter(|outcome| outcome.loser == index).last();
    last.map_or_else(
        || "yields to another arm".to_owned(),
        |outcome| {
            let (what, winner) = (resource(outcome), number(outcome.winner));
            format!("yields {what} to arm {winner}, {}", because(outcome.reason))
        },
    )
}

fn resource(outcome: &Outcome) -> String {
    match outcome.resource {
        Resource::Food(food) => format!("food {}", food.0),
        Resource::Place(at) => format!("the place {:.0}, {:.0}", at.x, at.y),
    }
}

const fn because(reason: Reason) -> &'static str {
    match reason {
        Reason::Owner => "which holds it",
        Reason::Assigned => "which was sent for it",
        Reason::Incumbent => "which had it before",
        Reason::LowestNumber => "which has the lower number",
    }
}

fn conflict(octopus: &Octopus, outcome: &Outcome) -> String {
    let (winner, loser) = outcome.priorities;
    format!(
        "{:.2} s: arm {} (priority {}) yields {} to arm {} (priority {}), {}",
        seconds(octopus, outcome.tick.0),
        number(outcome.loser),
        loser.value(),
        resource(outcome),
        number(outcome.winner),
        winner.value(),
        because(outcome.reason),
    )
}

/// What is counted, to tell what a tick brought.
pub(super) struct Counts {
    captures: u64,
    conflicts: u64,
    safety_releases: u64,
    is_critical: bool,
}

impl Counts {
    pub(super) fn of(octopus: &Octopus) -> Self {
        Self {
            captures: octopus.captures(),
            conflicts: octopus.arbiter().conflicts(),
            safety_releases: octopus.safety_releases(),
            is_critical: octopus.hazards().any_critical(),
        }
    }
}

/// What has happened since `before`.
pub(super) fn events(octopus: &Octopus, before: &Counts, out: &mut Vec<Event>) {
    let tick = octopus.tick().0;
    let event =
        |kind: &str, robot, index, text| Event { tick, kind: kind.to_owned(), robot, index, text };
    let now = Counts::of(octopus);
    if now.is_critical != before.is_critical {
        let kind = if now.is_critical { "withdrawal_began" } else { "withdrawal_ended" };
        out.push(event(kind, None, None, None));
    }
    let released = now.safety_releases.saturating_sub(before.safety_releases);
    if released > 0 {
        let text = format!("{released} food let go because of a hazard");
        out.push(event("safety_release", None, None, Some(text)));
    }
    let outcomes: Vec<&Outcome> = octopus.arbiter().outcomes().collect();
    let new = now.conflicts.saturating_sub(before.conflicts) as usize;
    for outcome in &outcomes[outcomes.len().saturating_sub(new)..] {
        let food = match outcome.resource {
            Resource::Food(food) => Some(food.0),
            Resource::Place(_) => None,
        };
        let text = conflict(octopus, outcome);
        out.push(event("conflict", Some(number(outcome.loser)), food, Some(text)));
    }
    let new = now.captures.saturating_sub(before.captures) as usize;
    if new > 0 {
        let reports: Vec<_> = octopus.reports().collect();
        for report in &reports[reports.len().saturating_sub(new)..] {
            out.push(event("captured", Some(number(report.arm)), Some(report.object.0), None));
        }
    }
}
