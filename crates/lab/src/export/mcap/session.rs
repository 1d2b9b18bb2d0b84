//! A trace as MCAP.
//!
//! Everything comes from the traced run simulated again, every tick of which is compared with the
//! trace: a trace holds no scene, no commands, no ages of readings and no events.

use std::path::Path;

use tropism_body::Controller as _;
use tropism_world::{Action, Occurrence, OccurrenceKind, RobotTruth, TimedEvent, Vec2};

use super::super::again::Again;
use super::super::held::Layout;
use super::super::recording::{Recording, RobotCard, Scene};
use super::super::{Exported, Origin, REPORT_TICKS, step_of, stopped};
use super::writer::{Level, McapWriter, MindTick};
use crate::error::LabError;
use crate::life::Progress;
use crate::trace::{Ending, Header, TraceReader};

/// Writes a trace as an MCAP file.
///
/// # Errors
/// [`LabError`] when the trace cannot be read, the run comes out otherwise (with the tick), or the
/// file cannot be written; no file then appears.
pub fn trace(
    reader: TraceReader,
    origin: Origin<'_>,
    to: &Path,
    progress: &dyn Progress,
) -> Result<Exported, LabError> {
    let header = reader.header.clone();
    let path = reader.path().to_owned();
    let step = step_of(&path, header.step)?;
    let mut again = Again::new(reader, origin)?;
    let damaged = |what: String| LabError::damaged(&path, what);
    let layout = Layout::of_names(again.names()).map_err(damaged)?;
    let world = &origin.0.world;
    let mut recording = Recording {
        step,
        scene: Scene::of(world),
        robots: world.robots.iter().map(RobotCard::of).collect(),
        about: about(&header),
    };
    let minds = again.run().robots().iter().map(|robot| &robot.mind);
    for ((card, mind), place) in recording.robots.iter_mut().zip(minds).zip(&layout.robots) {
        card.modules = mind.modules().iter().map(|m| (*m).to_owned()).collect();
        card.internals.clone_from(&place.internals);
    }
    let mut writer = McapWriter::create(to, &recording)?;
    writer.truths(0, again.truths())?;
    let mut stations = recording.scene.stations.clone();
    while again.step()? {
        let tick = again.ticks() - 1;
        for (i, robot) in again.run().robots().iter().enumerate() {
            let mind = MindTick {
                percept: &robot.percept,
                command: &robot.command,
                applied: robot.actuators.values(),
                module: again.modules()[i],
                values: layout.robots[i].internals(again.values()),
            };
            writer.mind(tick, i, &mind)?;
        }
        for (robot, line) in again.logs() {
            writer.log(tick, Some(*robot), Level::Info, &line.text)?;
        }
        writer.truths(tick + 1, again.truths())?;
        if !again.ended().is_empty() {
            // The next percept is sensed from where the new life begins.
            let robots = 0..again.run().robots().len();
            let begun: Vec<RobotTruth> = robots.map(|i| again.run().truth(i)).collect();
            writer.truths(tick + 1, &begun)?;
        }
        for event in again.events() {
            writer.event(tick + 1, event)?;
            if let Some(index) = changed_station(*event)
                && let Some(mark) = stations.get_mut(index)
                && let Some((contact, is_on)) = again.run().world().station_place(index)
            {
                mark.facing_rad = facing(&world.events, index, contact).unwrap_or(mark.facing_rad);
                (mark.contact, mark.is_on) = (contact, is_on);
                writer.station(tick + 1, index, mark)?;
            }
        }
        if again.ticks().is_multiple_of(REPORT_TICKS) {
            progress.ticks(REPORT_TICKS);
            if progress.is_cancelled() {
                return Err(stopped(to));
            }
        }
    }
    failures(&again, &mut writer)?;
    let items = writer.commit()?;
    let ending = again.reader().ending().unwrap_or(Ending::Cut);
    Ok(Exported { ticks: again.ticks(), items, is_simulated_again: true, ending })
}

/// The station that an occurrence moved or switched.
fn changed_station(event: Occurrence) -> Option<usize> {
    let is_change = matches!(
        event.kind,
        OccurrenceKind::StationOn | OccurrenceKind::StationOff | OccurrenceKind::StationMoved
    );
    event.index.filter(|_| is_change).map(usize::from)
}

/// Where a station faces that an event moved to this place.
fn facing(events: &[TimedEvent], index: usize, contact: Vec2) -> Option<f32> {
    events.iter().find_map(|event| match event.action {
        Action::MoveStation { station, to, facing_rad }
            if usize::from(station) == index && to == contact =>
        {
            Some(facing_rad)
        }
        _ => None,
    })
}

/// Minds that gave up, as errors in the log.
fn failures<W: std::io::Write>(again: &Again, writer: &mut McapWriter<W>) -> Result<(), LabError> {
    for (i, robot) in again.run().robots().iter().enumerate() {
        if let Some(failure) = robot.mind.failure() {
            writer.log(again.ticks(), Some(i), Level::Error, &failure.to_string())?;
        }
    }
    Ok(())
}

fn about(header: &Header) -> Vec<(String, String)> {
    let mut about = vec![
        ("scenario".to_owned(), header.scenario.clone()),
        ("scenario_hash".to_owned(), header.scenario_hash.clone()),
        ("seed".to_owned(), header.seed.to_string()),
        ("model_version".to_owned(), header.model_version.to_string()),
        ("lives".to_owned(), header.lives.to_string()),
        ("life_cap_ticks".to_owned(), header.cap_ticks.to_string()),
    ];
    about.extend(header.condition.clone().map(|condition| ("condition".to_owned(), condition)));
    about
}
