//! A session from request to frame.

use tropism_session::Session;
use tropism_wire::session::Message;

fn say(session: &mut Session, requests: &[&str]) -> Vec<Message> {
    let mut out = Vec::new();
    for request in requests {
        session.handle_text(request, &mut out);
    }
    out
}

#[test]
fn determinism_the_same_requests_give_the_same_frames() {
    let requests = [
        r#"{"id":1,"command":{"do":"load","source":{"from":"built_in","name":"standard"}}}"#,
        r#"{"id":2,"command":{"do":"step","ticks":100}}"#,
    ];
    let [once, again] = [(); 2].map(|()| say(&mut Session::new(), &requests));
    assert_eq!(once, again);
    let Some(Message::Frame { frame }) = once.last() else { panic!("{once:?}") };
    assert_eq!(frame.tick, 100);
    assert_eq!(frame.time_s, 5.0);
}

#[test]
fn edge_a_malformed_request_is_refused_with_its_number() {
    let said = say(&mut Session::new(), &[r#"{"id":7,"command":{"do":"jump"}}"#, "{"]);
    assert!(
        matches!(&said[0], Message::Refused { id: Some(7), fault } if fault.what.contains("jump"))
    );
    assert!(matches!(&said[1], Message::Refused { id: None, .. }));
}
