//! Goal: a step in slices says what a whole step says, in the order of what was asked; `pause` and
//! others get in between.
//! Method: a leaf in miniature, which looks at its inbox after every slice.

mod common;

use common::Desk;
use tropism_session::{Session, Steps, Turn, WAITING_BYTES_MAX, WAITING_MAX};
use tropism_wire::session::{Command, Message, Request};

const LONG: u32 = 4_000;

/// A leaf: messages come in by number of slices made, as `(slice, asker, text)`.
fn leaf(session: &mut Session, inbox: &[(u32, u64, String)]) -> Vec<(u64, Message)> {
    let mut steps = Steps::default();
    let mut said = Vec::new();
    for slice in 0..u32::MAX {
        for (_, asker, text) in inbox.iter().filter(|(when, ..)| *when == slice) {
            match steps.admit(*asker, text) {
                Turn::Now(asked) => {
                    steps.carry_out((*asker, asked), session, &mut said);
                }
                Turn::Later => {}
                Turn::Full(refusal) => said.push((*asker, refusal)),
            }
        }
        let asker = steps.asker();
        if steps.go_on(session, || false) {
            let mut out = Vec::new();
            steps.end(session, &mut out);
            said.extend(out.into_iter().map(|message| (asker.expect("a step"), message)));
            while let Some(waited) = steps.next_waiting() {
                steps.carry_out(waited, session, &mut said);
            }
        }
        let is_last = inbox.iter().all(|(when, ..)| *when <= slice);
        if is_last && !steps.is_under_way() {
            break;
        }
    }
    said
}

fn ask(id: u32, command: Command) -> String {
    serde_json::to_string(&Request { id, command }).expect("plain data")
}

fn step(id: u32, ticks: u32) -> String {
    ask(id, Command::Step { ticks })
}

fn drive(value: f64) -> Command {
    Command::Drive { robot: 0, actuator: "stepper_left".into(), value }
}

/// What was said, without the frames.
fn replies(said: &[(u64, Message)]) -> Vec<String> {
    let reply = |(asker, message): &(u64, Message)| match message {
        Message::Done { id, .. } => Some(format!("{asker}: {id} done")),
        Message::Refused { id, fault } => {
            Some(format!("{asker}: {} {}", id.unwrap_or(0), fault.what))
        }
        _ => None,
    };
    said.iter().filter_map(reply).collect()
}

#[test]
fn determinism_a_step_in_slices_says_what_a_whole_one_says() {
    let asked = [step(1, 37), step(2, LONG), ask(3, drive(0.5)), step(4, 1), step(5, 0)];
    let mut whole = Desk::with("two-robots").session;
    let mut expected = Vec::new();
    for text in &asked {
        whole.handle_text(text, &mut expected);
    }
    let mut sliced = Desk::with("two-robots").session;
    let inbox: Vec<_> = asked.into_iter().map(|text| (0, 7, text)).collect();
    let said: Vec<Message> = leaf(&mut sliced, &inbox).into_iter().map(|(_, m)| m).collect();
    assert_eq!(said, expected);
}

#[test]
fn unit_a_pause_ends_the_step_at_the_tick_that_is_reached() {
    let mut session = Desk::with("standard").session;
    let inbox = [
        (0, 1, step(1, LONG)),
        (0, 1, step(2, 50)),
        (0, 1, ask(3, drive(0.5))),
        (5, 1, ask(4, Command::Pause)),
    ];
    let said = leaf(&mut session, &inbox);
    let expected = [
        "1: 2 the step was ended after 0 of 50 ticks".to_owned(),
        "1: 4 done".to_owned(),
        format!("1: 1 the step was ended after 40 of {LONG} ticks"),
        "1: 3 done".to_owned(),
    ];
    assert_eq!(replies(&said), expected);
    let Some(Message::Frame { frame }) = session.frame() else { panic!() };
    assert_eq!((frame.tick, frame.is_playing), (40, false));
}

#[test]
fn unit_others_are_answered_in_between_and_their_steps_wait() {
    let mut session = Desk::with("standard").session;
    let inbox = [
        (0, 1, step(1, 800)),
        (0, 1, ask(2, Command::LifeState { robot: 0 })),
        (3, 2, ask(1, drive(0.5))),
        (3, 2, step(2, 8)),
        (3, 2, ask(3, Command::List)),
        (4, 3, ask(1, Command::List)),
    ];
    let said = leaf(&mut session, &inbox);
    let expected = ["2: 1 done", "3: 1 done", "1: 1 done", "1: 2 done", "2: 2 done", "2: 3 done"];
    assert_eq!(replies(&said), expected);
    let ticks: Vec<u64> = said
        .iter()
        .filter_map(|(_, message)| match message {
            Message::Frame { frame } => Some(frame.tick),
            _ => None,
        })
        .collect();
    assert_eq!(ticks, [24, 800, 808], "the drive came after three slices of eight ticks");
}

#[test]
fn unit_a_load_or_a_seek_of_another_ends_the_step() {
    let load = common::built_in("arena");
    for (command, tick) in [(load, 0), (Command::Seek { tick: 3 }, 3)] {
        let mut session = Desk::with("standard").session;
        let inbox = [(0, 1, step(1, LONG)), (2, 2, ask(9, command))];
        let said = replies(&leaf(&mut session, &inbox));
        let ended = format!("1: 1 the step was ended after 16 of {LONG} ticks");
        assert_eq!(said, ["2: 9 done".to_owned(), ended]);
        let Some(Message::Frame { frame }) = session.frame() else { panic!() };
        assert_eq!(frame.tick, tick);
    }
}

/// A step of asker 4 under way.
fn under_way(session: &mut Session) -> Steps {
    let mut steps = Steps::default();
    let begun = Request { id: 1, command: Command::Step { ticks: LONG } };
    assert!(steps.carry_out((4, Ok(begun)), session, &mut Vec::new()));
    steps
}

fn is_full(turn: &Turn) -> bool {
    matches!(turn, Turn::Full(Message::Refused { id: Some(2), .. }))
}

#[test]
fn unit_what_waits_is_bounded_per_asker_and_forgotten_with_him() {
    let mut session = Desk::with("standard").session;
    let mut steps = under_way(&mut session);
    for _ in 0..WAITING_MAX {
        assert_eq!(steps.admit(4, &ask(2, Command::List)), Turn::Later);
    }
    assert!(is_full(&steps.admit(4, &ask(2, Command::List))));
    assert!(matches!(steps.admit(5, &ask(1, Command::List)), Turn::Now(Ok(_))));
    assert_eq!(steps.admit(5, &step(2, 1)), Turn::Later, "room for another asker");
    assert!(!steps.forget(5) && steps.is_under_way());
    assert!(steps.forget(4));
    assert!(!steps.is_under_way() && steps.next_waiting().is_none());
}

#[test]
fn unit_the_bytes_that_wait_are_bounded_in_all_and_per_asker() {
    let mut session = Desk::with("standard").session;
    let mut steps = under_way(&mut session);
    let mut large = step(2, 1);
    large.push_str(&" ".repeat(WAITING_BYTES_MAX / 4 - large.len()));
    for asker in [4, 5] {
        assert_eq!(steps.admit(asker, &large), Turn::Later);
        assert_eq!(steps.admit(asker, &large), Turn::Later);
        assert!(is_full(&steps.admit(asker, &step(2, 1))), "half is taken by {asker}");
    }
    assert!(is_full(&steps.admit(6, &step(2, 1))), "all is taken");
    steps.forget(5);
    assert_eq!(steps.admit(6, &step(2, 1)), Turn::Later);
}
