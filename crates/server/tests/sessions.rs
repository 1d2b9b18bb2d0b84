//! Goal: a session over a WebSocket says what the session itself says.
//! Method: a real client on a real port; the same requests go to a session in this process.
#![allow(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod common;

use common::Lab;
use serde_json::json;
use tropism_server::Options;
use tropism_session::Session;
use tropism_wire::session::{Source, TextFile};

const LOAD: &str =
    r#"{"id":1,"command":{"do":"load","source":{"from":"built_in","name":"standard"}}}"#;
const SCENARIO: &str = "kind = 'scenario'\nname = 'two'\nworld = 'standard'\nmind = 'full'\n";

#[test]
fn determinism_a_socket_says_what_the_session_says() {
    let requests = [
        LOAD,
        r#"{"id":2,"command":{"do":"step","ticks":40}}"#,
        r#"{"id":3,"command":{"do":"drive","actuator":"stepper_left","value":1}}"#,
        r#"{"id":4,"command":{"do":"drive","actuator":"sideways","value":1}}"#,
        "{",
        r#"{"id":5,"command":{"do":"step","ticks":7}}"#,
    ];
    let mut expected = vec![serde_json::to_string(&Session::hello()).unwrap()];
    let mut session = Session::new();
    for request in requests {
        let mut said = Vec::new();
        session.handle_text(request, &mut said);
        expected.extend(said.iter().map(|m| serde_json::to_string(m).unwrap()));
    }
    let lab = Lab::usual();
    let mut socket = lab.socket("/session");
    for request in requests {
        socket.say(request);
    }
    for wanted in expected {
        assert_eq!(socket.next_text(), Ok(wanted));
    }
}

#[test]
fn edge_a_session_plays_at_its_speed_and_stands_still_when_told() {
    let lab = Lab::usual();
    let mut socket = lab.socket("/session");
    socket.say(LOAD);
    socket.say(r#"{"id":2,"command":{"do":"speed","factor":20}}"#);
    socket.say(r#"{"id":3,"command":{"do":"play"}}"#);
    let mut ticks = Vec::new();
    while ticks.len() < 10 {
        let frame = socket.until("frame")["frame"].clone();
        if frame["is_playing"] == true {
            ticks.push(frame["tick"].as_u64().unwrap());
        }
    }
    assert!(ticks.is_sorted(), "{ticks:?}");
    // 20 ticks per second, 20 times as fast, 30 frames per second: about 13 ticks per frame.
    assert!(ticks[9] - ticks[0] > 9, "{ticks:?}");
    socket.say(r#"{"id":4,"command":{"do":"pause"}}"#);
    while socket.until("done")["id"] != 4 {}
    socket.say(r#"{"id":5,"command":{"do":"step","ticks":1}}"#);
    let still = socket.until("frame")["frame"]["tick"].as_u64().unwrap();
    socket.say(r#"{"id":6,"command":{"do":"step","ticks":1}}"#);
    assert_eq!(socket.until("frame")["frame"]["tick"].as_u64(), Some(still + 1));
}

#[test]
fn edge_a_long_step_leaves_room_for_others_and_ends_with_a_pause() {
    let lab = Lab::usual();
    let [mut asker, mut other] = [(); 2].map(|()| lab.socket("/session?share"));
    asker.say(r#"{"id":1,"command":{"do":"load","source":{"from":"built_in","name":"crowd"}}}"#);
    while asker.until("done")["id"] != 1 {}
    // Fifty organisms for 100,000 ticks take minutes.
    asker.say(r#"{"id":2,"command":{"do":"step","ticks":100000}}"#);
    asker.say(r#"{"id":3,"command":{"do":"list"}}"#);
    other.say(r#"{"id":9,"command":{"do":"list"}}"#);
    while other.until("done")["id"] != 9 {}
    assert!(lab.get("/api/channels").status == 200, "a look gets in between");
    asker.say(r#"{"id":4,"command":{"do":"pause"}}"#);
    let mut replies = Vec::new();
    while replies.len() < 3 {
        let message = asker.next().unwrap();
        if ["done", "refused"].contains(&message["type"].as_str().unwrap()) {
            replies.push((message["id"].as_u64().unwrap(), message["fault"]["what"].clone()));
        }
    }
    let ids: Vec<u64> = replies.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, [4, 2, 3], "{replies:?}");
    let what = replies[1].1.as_str().unwrap();
    assert!(what.starts_with("the step was ended after ") && what.ends_with("of 100000 ticks"));
}

#[test]
fn edge_the_step_of_one_who_leaves_is_dropped_at_the_tick_the_others_see() {
    let lab = Lab::usual();
    let [mut asker, mut other] = [(); 2].map(|()| lab.socket("/session?share"));
    asker.say(r#"{"id":1,"command":{"do":"load","source":{"from":"built_in","name":"crowd"}}}"#);
    while asker.until("done")["id"] != 1 {}
    while other.until("stage")["stage"]["name"] != "crowd" {}
    asker.say(r#"{"id":2,"command":{"do":"step","ticks":100000}}"#);
    asker.say(r#"{"id":3,"command":{"do":"watch","robot":0,"parts":[]}}"#);
    std::thread::sleep(core::time::Duration::from_millis(200));
    drop(asker);
    // Nobody acts: the frame comes by itself.
    let reached = loop {
        let frame = other.until("frame")["frame"].clone();
        if frame["tick"].as_u64().unwrap() > 0 {
            break frame;
        }
    };
    assert_eq!(reached["is_playing"], false);
    let tick = reached["tick"].as_u64().unwrap();
    assert!(tick < 100_000);
    other.say(r#"{"id":9,"command":{"do":"step","ticks":1}}"#);
    assert_eq!(other.until("frame")["frame"]["tick"].as_u64(), Some(tick + 1));
}

#[test]
fn edge_sessions_begin_with_what_the_server_was_given_and_are_apart() {
    let file = TextFile { name: "two.toml".into(), text: SCENARIO.into() };
    let source = Source::Text { file, files: Vec::new() };
    let lab = Lab::start(Options { source: Some(source), ..Options::default() });
    let [mut one, mut other] = [(); 2].map(|()| lab.socket("/session"));
    for socket in [&mut one, &mut other] {
        assert_eq!(socket.next().unwrap()["type"], "hello");
        assert_eq!(socket.next().unwrap()["stage"]["name"], "two");
        assert_eq!(socket.next().unwrap()["frame"]["tick"], 0);
    }
    one.say(r#"{"id":2,"command":{"do":"step","ticks":30}}"#);
    other.say(r#"{"id":2,"command":{"do":"step","ticks":3}}"#);
    assert_eq!(one.until("frame")["frame"]["tick"], 30);
    assert_eq!(other.until("frame")["frame"]["tick"], 3);
    assert_eq!(lab.get("/api/hello").json()["has_beginning"], true);
}

#[test]
fn edge_those_who_share_a_session_see_the_same_run() {
    let lab = Lab::usual();
    let [mut teacher, mut pupil] = [(); 2].map(|()| lab.socket("/session?share"));
    assert_eq!(teacher.until("stage")["stage"]["name"], "newborn");
    teacher.say(r#"{"id":1,"command":{"do":"pause"}}"#);
    while teacher.until("done")["id"] != 1 {}
    teacher.say(r#"{"id":2,"command":{"do":"step","ticks":50}}"#);
    while teacher.until("done")["id"] != 2 {}
    let seen = teacher.until("frame");
    let tick = seen["frame"]["tick"].clone();
    let theirs = loop {
        let frame = pupil.until("frame");
        if frame["frame"]["tick"] == tick && frame["frame"]["is_playing"] == false {
            break frame;
        }
    };
    assert_eq!(theirs["frame"]["hash"], seen["frame"]["hash"]);
    pupil.say(LOAD);
    teacher.until("stage");
    let mut alone = lab.socket("/session");
    assert_eq!(alone.next().unwrap()["type"], "hello");
    lab.wait_for(|s| s["followers"] == 2 && s["sockets"] == 3);
    drop((teacher, pupil, alone));
    lab.wait_for(|s| s["followers"] == 0 && s["sockets"] == 0);
}

#[test]
fn edge_garbage_is_refused_and_the_session_goes_on() {
    let lab = Lab::usual();
    let mut socket = lab.socket("/session");
    let garbage = [
        "",
        "{}",
        "[1,2",
        "\u{0}\u{7f}",
        r#"{"id":-1,"command":{"do":"play"}}"#,
        r#"{"id":9,"command":{"do":"fly"}}"#,
        r#"{"id":9,"command":{"do":"step","ticks":1e99}}"#,
    ];
    assert_eq!(socket.next().unwrap()["type"], "hello");
    for text in garbage {
        socket.say(text);
        let said = socket.next().unwrap();
        assert_eq!(said["type"], "refused", "{text:?}: {said}");
        assert_ne!(said["fault"]["what"], "", "{text:?}");
    }
    let deep = format!(r#"{{"id":1,"command":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    socket.say(&deep);
    assert_eq!(socket.next().unwrap()["type"], "refused");
    socket.say(LOAD);
    assert_eq!(socket.next().unwrap(), json!({"type":"done","id":1,"outcome":{"kind":"plain"}}));
}
