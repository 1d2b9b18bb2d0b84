//! Makes and encodes frames of the crowd, for counting instructions:
//! the slope between two runs of `valgrind --tool=callgrind …/frame_cost 10` and `… 110`.

use tropism_session::Session;
use tropism_wire::session::{Command, Request, Source};

fn main() {
    let frames = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10_u32);
    let mut session = Session::new();
    let source = Source::BuiltIn { name: "crowd".into() };
    let load = Command::Load { source, seed: None, condition: None, scene: None };
    let mut out = Vec::new();
    session.handle(Request { id: 1, command: load }, &mut out);
    session.advance(100);
    let mut bytes = 0;
    for _ in 0..frames {
        let frame = session.frame().expect("a table is loaded");
        bytes += serde_json::to_string(&frame).expect("plain data is JSON").len();
    }
    std::process::exit(i32::from(bytes == 0));
}
