//! The log of the main session: a row per simulated second, as the reference firmware keeps it.

use core::fmt::Write as _;

use tropism_core::TimeStep;
use tropism_wire::session::{Frame, MindFrame, NeedStage, Stage};

/// Size at which the log starts anew, bytes.
///
/// # Source
/// Reference firmware, logger.
pub(crate) const BYTES_MAX: usize = 64 << 10;

/// Rows since the start or the last change of the stage.
#[derive(Debug, Default)]
pub(crate) struct Log {
    text: String,
    ticks_since_row: u64,
}

fn ticks_per_row(step: TimeStep) -> u64 {
    step.ticks_in(1.0).max(1)
}

/// Time, needs and fuzz of robots that have them, exertion.
fn header(needs: Option<&[NeedStage]>) -> String {
    let mut text = String::from("t_ms");
    for need in needs.into_iter().flatten() {
        text.push(',');
        text.push_str(&need.name);
    }
    text.push_str(if needs.is_some() { ",fuzz,actuator_cost\n" } else { ",actuator_cost\n" });
    text
}

impl Log {
    /// Something was loaded or edited.
    pub(crate) fn stage_changed(&mut self) {
        self.ticks_since_row = 0;
    }

    /// Ticks until the next row.
    pub(crate) fn ticks_to_row(&self, step: TimeStep) -> u64 {
        ticks_per_row(step).saturating_sub(self.ticks_since_row).max(1)
    }

    /// So many ticks later, a row is to be added.
    pub(crate) fn is_row_due(&mut self, ticks: u64, step: TimeStep) -> bool {
        self.ticks_since_row += ticks;
        let is_due = self.ticks_since_row >= ticks_per_row(step);
        if is_due {
            self.ticks_since_row = 0;
        }
        is_due
    }

    /// Adds a row of robot 0.
    pub(crate) fn add(&mut self, stage: &Stage, frame: &Frame) {
        let Some(world) = &frame.robots else { return };
        let (Some(robot), Some(stage)) = (world.robots.first(), stage.robots.as_ref()) else {
            return;
        };
        let Some(of_robot) = stage.robots.first() else { return };
        let header = header(of_robot.mind.organism.as_ref().map(|o| o.needs.as_slice()));
        if self.text.len() > BYTES_MAX || !self.text.starts_with(&header) {
            self.text = header;
        }
        let organism = world.watched.as_ref().and_then(|watched| match &watched.mind {
            MindFrame::Organism { state, .. } => state.as_ref(),
            _ => None,
        });
        let t_ms = (frame.time_s * 1000.0).round();
        let _ = write!(self.text, "{t_ms:.0}");
        if let Some(organism) = organism {
            for need in &organism.needs {
                let _ = write!(self.text, ",{:.4}", need.value);
            }
            let _ = write!(self.text, ",{:.4}", organism.fuzz);
        }
        let cost: f32 = (robot.actuators.iter().zip(&of_robot.actuators))
            .map(|(value, spec)| value.abs() * spec.cost)
            .sum();
        let _ = writeln!(self.text, ",{cost:.4}");
    }

    /// The log.
    pub(crate) fn text(&self) -> String {
        self.text.clone()
    }
}
