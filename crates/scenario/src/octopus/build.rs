//! From a scenario to an octopus at time 0.

use tropism_core::TimeStep;
use tropism_octopus::{Kind, LawKind, ObjectId, Octopus, Settings};

use super::field::FormatError;
use super::format::{Scenario, TargetEntry};

/// The time step of every scenario, 1/120 s.
///
/// # Panics
/// Never: the numbers are in range.
pub fn time_step() -> TimeStep {
    TimeStep::new(1, 120).expect("1/120 s is a valid step")
}

/// Builds the octopus a scenario describes; `law` overrides the file's.
///
/// # Errors
/// When there is no room for the objects.
pub fn build(scenario: &Scenario, law: Option<LawKind>) -> Result<Octopus, FormatError> {
    let fault = |message: String| FormatError { line: 0, field: String::new(), message };
    let objects = scenario.food.len() + scenario.obstacles.len();
    let plain = scenario.settings(law);
    let settings = Settings { object_capacity: plain.object_capacity.max(objects + 16), ..plain };
    let parameters = scenario.arms.map(|arm| arm.parameters);
    let mut octopus = Octopus::new(scenario.body, time_step(), &parameters, settings)
        .map_err(|e| fault(e.to_string()))?;
    for food in &scenario.food {
        octopus
            .add_object(Kind::Food, food.position, food.radius, food.reward)
            .map_err(|e| fault(e.to_string()))?;
    }
    for (position, radius) in &scenario.obstacles {
        octopus
            .add_object(Kind::Obstacle, *position, *radius, 1.0)
            .map_err(|e| fault(e.to_string()))?;
    }
    for hazard in &scenario.hazards {
        octopus
            .report_hazard(hazard.position, hazard.radius, hazard.severity, hazard.seconds)
            .map_err(|e| fault(e.to_string()))?;
    }
    for (i, arm) in scenario.arms.iter().enumerate() {
        let done = match arm.target {
            None => octopus.idle(i),
            Some(TargetEntry::Place(place)) => octopus.assign_reach(i, place),
            Some(TargetEntry::Food(index, when)) => {
                // Food comes first, so its ids are its places in the file.
                octopus.assign_food(i, ObjectId(index as u32 + 1), when)
            }
        };
        done.map_err(|e| fault(e.to_string()))?;
    }
    octopus.refresh_sensing();
    Ok(octopus)
}
