//! Traces: what an octopus did, in the JSON of the recorded reference traces.
//!
//! Fields that the reference does not have (`law`, per-arm `permit` and `priority`, `conflicts`,
//! `hazards`) are written only when arbitration is on.

use tropism_octopus::arbitration::{Outcome, Resource};
use tropism_octopus::{ControlledArm, Kind, Law, Octopus, Permit, Point};

use super::events::{Event, apply};
use super::field::FormatError;
use super::format::LAW_NAMES;
use super::json::{Json, array, boolean, integer, null, number, object, text};

/// What a trace is made of.
#[derive(Clone, Debug)]
pub struct TraceRequest<'a> {
    /// Name written into the trace.
    pub name: &'a str,
    /// The scenario file's name.
    pub scenario_file: &'a str,
    /// The scenario as read, to be written into the trace.
    pub scenario: &'a Json,
    /// The events as read.
    pub events_json: &'a Json,
    /// The events.
    pub events: &'a [Event],
    /// Updates to run.
    pub updates: u64,
    /// A sample every so many updates.
    pub every: u64,
    /// Write the requests of the reference law.
    pub with_requests: bool,
}

/// Runs an octopus and writes its trace.
///
/// # Errors
/// When an event is refused.
pub fn trace(octopus: &mut Octopus, request: &TraceRequest<'_>) -> Result<Json, FormatError> {
    let every = request.every.max(1);
    let mut samples = vec![sample(octopus, 0, request.with_requests)];
    let mut changes = Vec::new();
    let mut states: Vec<_> = octopus.arms().iter().map(ControlledArm::state).collect();
    let mut reports = Vec::new();
    let mut conflicts = Vec::new();
    for update in 1..=request.updates {
        for event in request.events.iter().filter(|e| e.before_update == update) {
            apply(octopus, &event.command)?;
        }
        let (captures, settled) = (octopus.captures(), octopus.arbiter().conflicts());
        octopus.step();
        let new = (octopus.captures() - captures) as usize;
        let all: Vec<_> = octopus.reports().collect();
        for report in &all[all.len() - new.min(all.len())..] {
            let seconds = octopus.time_step().seconds_at(report.tick);
            let (arm, id) = (report.arm as u64 + 1, u64::from(report.object.0));
            reports.push(array([integer(arm), integer(id), number(seconds)]));
        }
        let new = (octopus.arbiter().conflicts() - settled) as usize;
        let all: Vec<_> = octopus.arbiter().outcomes().collect();
        conflicts.extend(all[all.len() - new.min(all.len())..].iter().map(|o| outcome(o, update)));
        for (i, arm) in octopus.arms().iter().enumerate() {
            let state = arm.state();
            if state != states[i] {
                let (from, to) = (text(states[i].as_str()), text(state.as_str()));
                changes.push(array([integer(update), integer(i as u64 + 1), from, to]));
                states[i] = state;
            }
        }
        if update <= 3 || update % every == 0 {
            samples.push(sample(octopus, update, request.with_requests));
        }
    }
    let step = octopus.time_step();
    let dt = f64::from(step.numerator()) / f64::from(step.denominator());
    let mut entries = vec![
        ("format", text("octopus-golden-1")),
        ("name", text(request.name)),
        ("scenario_file", text(request.scenario_file)),
        ("scenario", request.scenario.clone()),
        ("events", request.events_json.clone()),
        ("dt", number(dt)),
        ("updates", integer(request.updates)),
        ("every", integer(every)),
        ("generator", text(concat!("tropism ", env!("CARGO_PKG_VERSION")))),
        ("law", text(LAW_NAMES[octopus.settings().law as usize])),
        ("state_changes", array(changes)),
        ("capture_reports", array(reports)),
    ];
    if octopus.settings().arbitration {
        entries.push(("conflicts", array(conflicts)));
        entries.push(("safety_releases", integer(octopus.safety_releases())));
    }
    entries.push(("samples", array(samples)));
    Ok(object(entries))
}

fn outcome(outcome: &Outcome, update: u64) -> Json {
    let resource = match outcome.resource {
        Resource::Food(id) => ("food", integer(u64::from(id.0))),
        Resource::Place(at) => ("place", point(at)),
    };
    object(vec![
        ("update", integer(update)),
        resource,
        ("winner", integer(outcome.winner as u64 + 1)),
        ("loser", integer(outcome.loser as u64 + 1)),
        ("reason", text(outcome.reason.as_str())),
        (
            "priorities",
            array([
                integer(u64::from(outcome.priorities.0.value())),
                integer(u64::from(outcome.priorities.1.value())),
            ]),
        ),
    ])
}

/// The name of a kind in samples.
pub const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Food => "Food",
        Kind::Obstacle => "Obstacle",
    }
}

/// A point as a pair.
pub fn point(p: Point) -> Json {
    array([number(p.x), number(p.y)])
}

/// One sample.
pub fn sample(octopus: &Octopus, update: u64, with_requests: bool) -> Json {
    let objects = octopus.objects().all().iter().map(|o| {
        array([
            integer(u64::from(o.id.0)),
            text(kind_name(o.kind)),
            number(o.position.x),
            number(o.position.y),
            number(o.radius),
        ])
    });
    let arms = octopus.arms().iter().enumerate();
    let mut entries = vec![
        ("update", integer(update)),
        ("seconds", number(octopus.seconds())),
        ("captures", integer(octopus.captures())),
        ("objects", array(objects)),
    ];
    if octopus.settings().arbitration && !octopus.hazards().all().is_empty() {
        let hazards = octopus.hazards().all().iter().map(|h| {
            object(vec![
                ("id", integer(u64::from(h.id.0))),
                ("position", point(h.position)),
                ("radius", number(h.radius)),
                ("severity", number(h.severity)),
                ("critical", boolean(h.is_critical)),
            ])
        });
        entries.push(("hazards", array(hazards)));
    }
    entries.push(("arms", array(arms.map(|(i, a)| arm(octopus, i, a, with_requests)))));
    object(entries)
}

fn arm(octopus: &Octopus, index: usize, arm: &ControlledArm, with_requests: bool) -> Json {
    let grip = arm.grip().map_or(null(), |grip| {
        object(vec![
            ("object", integer(u64::from(grip.object.0))),
            ("segment", integer(grip.segment as u64)),
            ("offset", point(grip.offset)),
        ])
    });
    let candidate = arm
        .candidate()
        .map_or(null(), |(id, segment)| array([integer(u64::from(id.0)), integer(segment as u64)]));
    let contacts = arm.contacts().iter().map(|c| {
        array([
            integer(c.segment as u64),
            integer(u64::from(c.object.0)),
            text(kind_name(c.kind)),
            number(c.point.x),
            number(c.point.y),
        ])
    });
    let mut entries = vec![
        ("number", integer(index as u64 + 1)),
        ("angles", array(arm.arm().pose().angles.iter().map(|a| number(*a)))),
        ("tip", point(arm.arm().tip())),
        ("target", point(arm.target())),
        ("active", boolean(arm.is_active())),
        ("state", text(arm.state().as_str())),
        ("status", text(arm.status().as_str())),
        ("blocked", boolean(arm.is_blocked())),
        ("avoiding", boolean(arm.is_avoiding())),
        ("held", arm.held().map_or(null(), |id| integer(u64::from(id.0)))),
        ("grip", grip),
        ("carry_goal", arm.carry_goal().map_or(null(), point)),
        ("retracting", boolean(arm.is_retracting())),
        ("candidate", candidate),
        ("dwell", number(arm.dwell())),
        ("contacts", array(contacts)),
    ];
    if octopus.settings().arbitration {
        let permit = match arm.permit() {
            Permit::Act => "act",
            Permit::Yield => "yield",
            Permit::Withdraw => "withdraw",
            Permit::Recoil(_) => "recoil",
        };
        let priority = octopus.intentions()[index].priority.value();
        entries.push(("permit", text(permit)));
        entries.push(("priority", integer(u64::from(priority))));
        let lengths = arm.arm().tip().distance(arm.target()) / arm.arm().parameters().reach();
        entries.push(("distance_arm_lengths", number(lengths)));
    }
    if let (true, Law::Reference(law)) = (with_requests, arm.law()) {
        let requests = law.requests().iter();
        let request = |r: &tropism_octopus::reference::Request| {
            array([number(r.start.x), number(r.start.y), number(r.heading)])
        };
        entries.push(("requests", array(requests.map(request))));
    }
    object(entries)
}
