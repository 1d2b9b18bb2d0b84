//! What is exported.

use tropism_core::Tick;

use super::codes::Codes;
use crate::ethogram::Ethogram;

/// One record under a subject name of its own.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a> {
    /// Subject as BORIS shows it, such as "robot 1 (module)"; unique within an observation.
    pub subject: &'a str,
    /// The record.
    pub record: &'a Ethogram,
}

/// Records that share their start.
#[derive(Clone, Debug)]
pub struct Observation<'a> {
    /// Name, unique within a project.
    pub id: &'a str,
    /// Free text.
    pub description: &'a str,
    /// Start as `YYYY-MM-DDThh:mm:ss`, given by the caller; there is no clock here.
    pub date: &'a str,
    /// The records.
    pub tracks: Vec<Track<'a>>,
}

/// Whether a row starts, ends or is an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Stop,
    Start,
    Point,
}

/// One row of an observation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) time_s: f64,
    pub(super) track: usize,
    pub(super) subject: &'a str,
    pub(super) code: &'a str,
    pub(super) category: &'a str,
    pub(super) status: Status,
    pub(super) comment: &'static str,
}

/// Comment on the stop of a bout whose end was not seen.
pub(super) const CUT: &str = "cut by the end of the record or by a gap";

impl Observation<'_> {
    /// Length of the longest record, s.
    pub(super) fn duration_s(&self) -> f64 {
        let end = |track: &Track<'_>| track.record.step().seconds_at(track.record.end());
        self.tracks.iter().map(end).fold(0.0, f64::max)
    }

    /// Rows by time; at one time stops come before starts, and tracks keep their order.
    pub(super) fn rows<'b>(&'b self, codes: &'b Codes) -> Vec<Row<'b>> {
        let mut rows = Vec::new();
        for (place, track) in self.tracks.iter().enumerate() {
            let record = track.record;
            let mut push = |code: u8, at: Tick, status, comment| {
                rows.push(Row {
                    time_s: record.step().seconds_at(at),
                    track: place,
                    subject: track.subject,
                    code: codes.code(record.catalogue(), code),
                    category: record.catalogue().title(),
                    status,
                    comment,
                });
            };
            for bout in record.bouts() {
                push(bout.state, bout.start, Status::Start, "");
                push(bout.state, bout.end(), Status::Stop, if bout.complete { "" } else { CUT });
            }
            record.points().iter().for_each(|event| push(event.code, event.at, Status::Point, ""));
        }
        rows.sort_by(|a, b| {
            let order = (a.status as u8).cmp(&(b.status as u8));
            a.time_s.total_cmp(&b.time_s).then(order).then(a.track.cmp(&b.track))
        });
        rows
    }
}
