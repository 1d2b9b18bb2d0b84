//! Recording a session.

use tropism_lab::experiment::MODEL_VERSION;
use tropism_wire::session::{Fault, Message, Outcome, PROTOCOL};

use crate::recording::{FORMAT, Line};
use crate::robots::slug;
use crate::session::{Session, plain_event, program};
use crate::table::fault;

/// Longest name of a recording.
const NAME_MAX: usize = 64;

/// A recording under way.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    /// Its name.
    pub(crate) name: String,
}

fn check_name(name: &str) -> Result<(), Fault> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.len() <= NAME_MAX && name.chars().all(is_plain) {
        return Ok(());
    }
    let right = format!("letters, digits, - and _, 1 to {NAME_MAX} of them");
    Err(fault(format!("a recording cannot be named so; a name has {right}")))
}

impl Session {
    /// A name that is free, made of the scenario's.
    fn free_name(&self) -> String {
        let name = match self.stage() {
            Some(Message::Stage { stage }) => slug(&stage.name),
            _ => "recording".to_owned(),
        };
        let name: String = name.chars().take(NAME_MAX - 8).collect();
        let numbered = (1_u32..).map(|i| format!("{name}-{i}"));
        let mut free = numbered.filter(|name| !self.store.has(name));
        free.next().unwrap_or(name)
    }

    pub(crate) fn record(&mut self, name: Option<String>) -> Result<(), Fault> {
        self.timeline_mut()?;
        if let Some(recorder) = &self.recorder {
            return Err(fault(format!("{} is being recorded; end it first", recorder.name)));
        }
        let name = match name {
            None => self.free_name(),
            Some(name) => {
                check_name(&name)?;
                if self.store.has(&name) {
                    return Err(fault(format!("there is a recording {name} already")));
                }
                name
            }
        };
        let Some(load) = self.load.clone() else {
            return Err(fault("nothing is loaded; ask for `load` first"));
        };
        let head = Line::Header {
            tropism_recording: FORMAT,
            protocol: PROTOCOL,
            model_version: MODEL_VERSION,
            program: program(),
            load,
        };
        let timeline = self.timeline_mut()?;
        timeline.begin_lines(&head);
        let lines = timeline.take_lines().unwrap_or_default();
        if let Err(why) = self.store.append(&name, &lines) {
            let _ = self.timeline_mut()?.end_lines();
            return Err(fault(format!("{name} could not be recorded: {why}")));
        }
        self.recorder = Some(Recorder { name });
        Ok(())
    }

    /// Hands new lines to the store.
    pub(crate) fn write_lines(&mut self) {
        let Some(timeline) = &mut self.timeline else { return };
        let (Some(lines), Some(recorder)) = (timeline.take_lines(), &self.recorder) else {
            return;
        };
        if let Err(why) = self.store.append(&recorder.name, &lines) {
            let _ = timeline.end_lines();
            let text = format!("{} ended: {why}", recorder.name);
            self.events.push(plain_event(timeline.tick(), "recording_failed", Some(text)));
            self.recorder = None;
        }
    }

    /// Ends the recording under way, if there is one; gives its name.
    pub(crate) fn end_recording(&mut self) -> Option<String> {
        let recorder = self.recorder.take()?;
        let lines = self.timeline.as_mut()?.end_lines().unwrap_or_default();
        if let Err(why) = self.store.append(&recorder.name, &lines) {
            let text = format!("{}: {why}", recorder.name);
            self.events.push(plain_event(0, "recording_failed", Some(text)));
        }
        Some(recorder.name)
    }

    pub(crate) fn stop_recording(&mut self) -> Result<Outcome, Fault> {
        match self.end_recording() {
            Some(name) => self.recording(&name),
            None => Err(fault("nothing is being recorded")),
        }
    }

    pub(crate) fn recording(&self, name: &str) -> Result<Outcome, Fault> {
        check_name(name)?;
        let text = self.store.read(name).map_err(fault)?;
        Ok(Outcome::Document { name: format!("{name}.jsonl"), text })
    }
}
