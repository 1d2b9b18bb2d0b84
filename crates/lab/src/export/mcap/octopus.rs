//! An octopus trace as MCAP: per arm the topic `/arm_N/internals`, with the columns of its table as
//! keys of JSON objects, and `/log` with changes of state, captures and conflicts.
//!
//! What it does not do: there is no drawing of the scene; the scene's file stands in the metadata.

use alloc::collections::BTreeMap;
use core::fmt::Write as _;
use std::io::{BufWriter, Seek, Write};
use std::path::Path;

use foxglove::messages::Log;
use foxglove::messages::log::Level;
use mcap::Writer;
use mcap::records::Metadata;
use mcap::write::NoSeek;
use serde_json::{Map, Value, json};
use tropism_ethology::table::{AtomicFile, Cell, Column, Kind};
use tropism_scenario::octopus::json::Json;

use super::super::octopus::{OctopusEvent, OctopusTrace};
use super::super::{Exported, nanoseconds, stopped};
use super::drawing;
use super::json::quoted;
use super::writer::{Channel, add_channel, add_foxglove, failed, options, put, send};
use crate::error::LabError;
use crate::life::Progress;

/// Writes an octopus trace as an MCAP file.
///
/// # Errors
/// [`LabError`] when the file cannot be written; no file then appears.
pub fn octopus_trace(
    trace: &OctopusTrace,
    to: &Path,
    progress: &dyn Progress,
) -> Result<Exported, LabError> {
    let file = AtomicFile::create(to).map_err(LabError::File)?;
    let out = NoSeek::new(BufWriter::new(file));
    let refused = |error: mcap::McapError| failed(to, error);
    let mut out = Writer::with_options(out, options()).map_err(refused)?;
    let mut sheet = Sheet::new(&mut out, trace).map_err(refused)?;
    let events = trace.events();
    let mut told = 0;
    for sample in trace.samples() {
        let update = sample.get("update").and_then(Json::as_integer).unwrap_or(0);
        let until = told + events[told..].partition_point(|e| e.update <= update.unsigned_abs());
        sheet.events(&mut out, trace, &events[told..until]).map_err(refused)?;
        told = until;
        for arm in sample.get("arms").and_then(Json::as_array).unwrap_or_default() {
            let filled = trace.fill(&mut sheet.row, sample, arm);
            filled.map_err(|what| LabError::damaged(trace.path(), what))?;
            sheet.arm(&mut out, trace).map_err(refused)?;
        }
        if progress.is_cancelled() {
            return Err(stopped(to));
        }
    }
    sheet.events(&mut out, trace, &events[told..]).map_err(refused)?;
    out.finish().map_err(refused)?;
    let file = out.into_inner().into_inner();
    let file = file.into_inner().map_err(|error| failed(to, error.into_error()))?;
    file.commit().map_err(LabError::File)?;
    Ok(trace.exported(sheet.messages))
}

/// Topics under way.
struct Sheet {
    columns: Vec<Column>,
    arms: Vec<Channel>,
    log: Channel,
    row: Vec<Cell<'static>>,
    text: String,
    bytes: Vec<u8>,
    messages: u64,
}

impl Sheet {
    fn new<W: Write + Seek>(out: &mut Writer<W>, trace: &OctopusTrace) -> mcap::McapResult<Self> {
        let step = (trace.step().numerator(), trace.step().denominator());
        let mut metadata: BTreeMap<String, String> = trace.about().into_iter().collect();
        metadata.insert("step_s".to_owned(), format!("{}/{}", step.0, step.1));
        out.write_metadata(&Metadata { name: "tropism".to_owned(), metadata })?;
        let columns = trace.columns();
        let schema = schema(&columns).to_string();
        let log = add_foxglove::<_, Log>(out, "/log")?;
        let mut arms = Vec::new();
        for number in 1..=trace.arms() {
            let (topic, name) = (format!("/arm_{number}/internals"), "tropism.OctopusArm");
            let schema = (name, "jsonschema", schema.as_bytes());
            arms.push(add_channel(out, &topic, "json", schema)?);
        }
        Ok(Self {
            columns,
            arms,
            log,
            row: Vec::new(),
            text: String::new(),
            bytes: Vec::new(),
            messages: 0,
        })
    }

    /// Writes the row as it is filled.
    fn arm<W: Write + Seek>(
        &mut self,
        out: &mut Writer<W>,
        trace: &OctopusTrace,
    ) -> mcap::McapResult<()> {
        let whole = |cell: Option<&Cell<'_>>| match cell {
            Some(Cell::U64(value)) => *value,
            _ => 0,
        };
        let (update, number) = (whole(self.row.first()), whole(self.row.get(2)));
        let ns = nanoseconds(trace.step(), update);
        self.text.clear();
        let (sec, nsec) = (ns / 1_000_000_000, ns % 1_000_000_000);
        let _ = write!(self.text, "{{\"timestamp\":{{\"sec\":{sec},\"nsec\":{nsec}}}");
        for (column, cell) in self.columns.iter().zip(&self.row) {
            let key = quoted(&column.name);
            let _ = match cell {
                Cell::U64(value) => write!(self.text, ",{key}:{value}"),
                Cell::F64(Some(value)) => write!(self.text, ",{key}:{value:?}"),
                Cell::Bool(value) => write!(self.text, ",{key}:{value}"),
                Cell::Text(value) if !value.is_empty() => {
                    write!(self.text, ",{key}:{}", quoted(value))
                }
                _ => Ok(()),
            };
        }
        self.text.push('}');
        let index = usize::try_from(number).unwrap_or(0).wrapping_sub(1);
        if let Some(channel) = self.arms.get_mut(index) {
            put(out, (channel, ns), self.text.as_bytes())?;
            self.messages += 1;
        }
        Ok(())
    }

    fn events<W: Write + Seek>(
        &mut self,
        out: &mut Writer<W>,
        trace: &OctopusTrace,
        events: &[OctopusEvent],
    ) -> mcap::McapResult<()> {
        for event in events {
            let ns = nanoseconds(trace.step(), event.update);
            let name = format!("arm_{}", event.arm);
            let line = drawing::log(ns, Level::Info as i32, &name, &event.text);
            send(out, &mut self.bytes, (&mut self.log, ns), &line)?;
            self.messages += 1;
        }
        Ok(())
    }
}

/// Says what an object holds, so that programs can offer it.
fn schema(columns: &[Column]) -> Value {
    let mut properties = Map::new();
    let stamp = json!({ "type": "object", "properties":
        { "sec": { "type": "integer" }, "nsec": { "type": "integer" } } });
    properties.insert("timestamp".to_owned(), stamp);
    for column in columns {
        let kind = match column.kind {
            Kind::U64 | Kind::I64 => "integer",
            Kind::F64 => "number",
            Kind::Bool => "boolean",
            Kind::Text => "string",
        };
        properties.insert(column.name.clone(), json!({ "type": kind }));
    }
    json!({
        "title": "tropism.OctopusArm",
        "description": "An arm of the octopus after an update; what it does not have is left out.",
        "type": "object",
        "properties": properties,
    })
}
