//! A session with its requests numbered.
#![allow(dead_code, reason = "each test file uses a part of it")]

use tropism_session::Session;
use tropism_wire::session::{
    Command, Event, Fault, Frame, Message, Outcome, Part, RobotStage, Source, Stage, TextFile,
    WorldFrame,
};

pub(crate) struct Desk {
    pub(crate) session: Session,
    id: u32,
}

impl Desk {
    pub(crate) fn empty() -> Self {
        Self { session: Session::new(), id: 0 }
    }

    /// A session with this scenario of the listing.
    pub(crate) fn with(name: &str) -> Self {
        let mut desk = Self::empty();
        desk.ok(built_in(name));
        desk
    }

    /// A session with this text.
    pub(crate) fn of_text(name: &str, text: &str) -> Self {
        let mut desk = Self::empty();
        desk.ok(load_text(name, text, &[]));
        desk
    }

    /// Everything said in return.
    pub(crate) fn ask(&mut self, command: Command) -> Vec<Message> {
        self.id += 1;
        let request = tropism_wire::session::Request { id: self.id, command };
        // Through text, as every leaf does it.
        let text = serde_json::to_string(&request).expect("plain data");
        let mut out = Vec::new();
        self.session.handle_text(&text, &mut out);
        match &out[0] {
            Message::Done { id, .. } => assert_eq!(*id, self.id),
            Message::Refused { id, .. } => assert_eq!(*id, Some(self.id)),
            other => panic!("{other:?}"),
        }
        out
    }

    #[track_caller]
    pub(crate) fn ok(&mut self, command: Command) -> Outcome {
        let said = format!("{command:?}");
        match self.ask(command).swap_remove(0) {
            Message::Done { outcome, .. } => outcome,
            other => panic!("{said}: {other:?}"),
        }
    }

    /// The refusal, after checking that nothing was changed.
    #[track_caller]
    pub(crate) fn refused(&mut self, command: Command) -> Fault {
        let (hash, stage) = (self.hash(), self.session.stage());
        let said = format!("{command:?}");
        let out = self.ask(command);
        assert_eq!(out.len(), 1, "{out:?}");
        assert_eq!(self.hash(), hash, "{said}");
        assert_eq!(self.session.stage(), stage, "{said}");
        match out.into_iter().next() {
            Some(Message::Refused { fault, .. }) => fault,
            other => panic!("{said}: {other:?}"),
        }
    }

    pub(crate) fn frame(&mut self) -> Frame {
        match self.session.frame() {
            Some(Message::Frame { frame }) => *frame,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn world(&mut self) -> WorldFrame {
        self.frame().robots.expect("robots")
    }

    pub(crate) fn hash(&mut self) -> Option<String> {
        let said = self.session.frame();
        said.map(|said| match said {
            Message::Frame { frame } => frame.hash,
            other => panic!("{other:?}"),
        })
    }

    pub(crate) fn stage(&self) -> Stage {
        match self.session.stage() {
            Some(Message::Stage { stage }) => *stage,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn robot(&self, i: usize) -> RobotStage {
        self.stage().robots.expect("robots").robots[i].clone()
    }

    pub(crate) fn step(&mut self, ticks: u32) {
        self.ok(Command::Step { ticks });
    }

    pub(crate) fn watch(&mut self, parts: &[Part]) {
        self.ok(Command::Watch { robot: 0, parts: parts.to_vec() });
    }

    pub(crate) fn document(&mut self, command: Command) -> String {
        match self.ok(command) {
            Outcome::Document { text, .. } => text,
            other => panic!("{other:?}"),
        }
    }
}

pub(crate) fn built_in(name: &str) -> Command {
    let source = Source::BuiltIn { name: name.into() };
    Command::Load { source, seed: None, condition: None, scene: None }
}

pub(crate) fn load_text(name: &str, text: &str, files: &[(&str, &str)]) -> Command {
    let file = |name: &str, text: &str| TextFile { name: name.into(), text: text.into() };
    let files = files.iter().map(|(name, text)| file(name, text)).collect();
    let source = Source::Text { file: file(name, text), files };
    Command::Load { source, seed: None, condition: None, scene: None }
}

pub(crate) fn kinds(events: &[Event]) -> Vec<&str> {
    events.iter().map(|e| e.kind.as_str()).collect()
}
