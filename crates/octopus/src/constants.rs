//! Every fixed number of the model: meaning, unit, value, and what a change would break.
//!
//! Values marked *reference* are those of the public model (D. Walker, `OctopusController`); the
//! golden traces hold only with them.

use core::f64::consts::PI;

/// Arms of an octopus.
pub const ARMS: usize = 8;
/// Radius of the circle on which the arms are attached, px (reference).
pub const BODY_RADIUS: f64 = 32.0;
/// Fewest segments of an arm (reference).
pub const SEGMENTS_MIN: usize = 2;
/// Most segments of an arm (reference).
pub const SEGMENTS_MAX: usize = 100;
/// Bend of every joint but the base in a fresh arm, rad (reference).
pub const INITIAL_BEND: f64 = 0.06;
/// Steering response, 1/s: larger turns faster towards the local goal (reference).
pub const STEERING_RESPONSE: f64 = 20.0;
/// A tip this close to its target has arrived, px (reference).
pub const REACH_TOLERANCE: f64 = 2.0;
/// A carried food this close to its goal has arrived, px (reference).
pub const CARRY_TOLERANCE: f64 = 2.0;
/// Two points this close have no direction between them, px (reference).
pub const DIRECTION_TOLERANCE: f64 = 1e-9;
/// Width of the strip around a segment in which it senses, px (reference).
pub const SENSOR_RADIUS: f64 = 3.0;
/// Distance an arm keeps from an obstacle's rim, px (reference).
pub const ARM_CLEARANCE: f64 = 3.0;
/// Extra distance at which local steering begins, px (reference).
pub const STEERING_MARGIN: f64 = 8.0;
/// Extra distance of the waypoint beside an obstacle, px (reference).
pub const WAYPOINT_MARGIN: f64 = 5.0;
/// Angle by which the waypoint runs ahead around an obstacle, rad (reference).
pub const BOUNDARY_STEP: f64 = 0.4;
/// Local steering looks this many segment lengths ahead (reference).
pub const LOOK_AHEAD_SEGMENTS: f64 = 3.0;
/// Most travel between two samples of the swept guard, px (reference).
pub const SWEEP_TRAVEL: f64 = 2.0;
/// Slack of geometric comparisons, px (reference).
pub const GEOMETRY_TOLERANCE: f64 = 1e-8;
/// Seconds for which adjacent contact must last before it is a grasp (reference).
pub const GRASP_DWELL: f64 = 0.25;
/// Slack of the dwell comparison, s (reference).
pub const DWELL_TOLERANCE: f64 = 1e-12;
/// Distance of the retract goal from the base, px (reference).
pub const RETRACT_DISTANCE: f64 = 40.0;
/// Distance of a fresh arm's target from its base, px (reference).
pub const DEMO_TARGET_DISTANCE: f64 = 180.0;
/// Angle of a fresh arm's target from its heading, rad (reference).
pub const DEMO_TARGET_ANGLE: f64 = -0.3;
/// Food found further than this from its grip pose was moved by somebody: the grip lets go, px.
pub const GRIP_DRIFT: f64 = 1e-6;
/// Capture reports kept (reference).
pub const REPORTS_KEPT: usize = 32;
/// Conflict outcomes kept.
pub const OUTCOMES_KEPT: usize = 64;
/// Two coordinate targets this close are one resource, px.
pub const SHARED_PLACE: f64 = 2.0;
/// Severity at and above which a hazard makes every arm withdraw, when nothing else is said.
pub const CRITICAL_SEVERITY: f64 = 0.95;
/// Objects an octopus has room for when nothing else is said.
pub const OBJECT_CAPACITY: usize = 64;
/// Hazards that may be reported at a time.
pub const HAZARDS_MAX: usize = 16;
/// Default radius of food and obstacles, px (reference).
pub const OBJECT_RADIUS: f64 = 14.0;
/// Default bend limit, rad (reference: 60 degrees).
pub const MAXIMUM_BEND: f64 = PI / 3.0;
/// Default turning speed, rad/s (reference).
pub const TURNING_SPEED: f64 = 1.5;
