//! The arm: a chain of rigid segments of one length on a fixed base.
//!
//! Terms: the *angles* of a pose are the base joint's absolute heading, then one relative bend per
//! joint; a *heading* is the running sum of the angles; the *points* are the joints, base first
//! and tip last. Points are always rebuilt from the angles, so segment lengths cannot drift.

use alloc::vec::Vec;

use crate::constants::{INITIAL_BEND, MAXIMUM_BEND, SEGMENTS_MAX, SEGMENTS_MIN, TURNING_SPEED};
use crate::vector::{Point, wrap};

/// Why arm parameters were refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ArmError {
    /// Segment count outside 2..=100.
    SegmentCount(usize),
    /// Segment length not a finite number above 0.
    SegmentLength(f64),
    /// Bend limit not in (0, π].
    MaximumBend(f64),
    /// Turning speed not a finite number above 0.
    TurningSpeed(f64),
}

impl core::fmt::Display for ArmError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::SegmentCount(n) => {
                write!(f, "segment count {n} is outside {SEGMENTS_MIN}..={SEGMENTS_MAX}")
            }
            Self::SegmentLength(x) => write!(f, "segment length {x} px is not finite and above 0"),
            Self::MaximumBend(x) => write!(f, "maximum bend {x} rad is not above 0 and at most pi"),
            Self::TurningSpeed(x) => write!(f, "turning speed {x} rad/s is not finite and above 0"),
        }
    }
}

impl core::error::Error for ArmError {}

/// Shape and speed of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmParameters {
    segment_count: usize,
    segment_length: f64,
    maximum_bend: f64,
    turning_speed: f64,
}

impl Default for ArmParameters {
    /// 20 segments of 12 px, bends up to 60°, 1.5 rad/s.
    fn default() -> Self {
        Self {
            segment_count: 20,
            segment_length: 12.0,
            maximum_bend: MAXIMUM_BEND,
            turning_speed: TURNING_SPEED,
        }
    }
}

impl ArmParameters {
    /// Checked parameters: segments, their length in px, bend limit in rad, speed in rad/s.
    ///
    /// # Errors
    /// [`ArmError`] names the first value out of range.
    pub fn new(
        segment_count: usize,
        segment_length: f64,
        maximum_bend: f64,
        turning_speed: f64,
    ) -> Result<Self, ArmError> {
        if !(SEGMENTS_MIN..=SEGMENTS_MAX).contains(&segment_count) {
            return Err(ArmError::SegmentCount(segment_count));
        }
        if !(segment_length.is_finite() && segment_length > 0.0) {
            return Err(ArmError::SegmentLength(segment_length));
        }
        if !(maximum_bend > 0.0 && maximum_bend <= core::f64::consts::PI) {
            return Err(ArmError::MaximumBend(maximum_bend));
        }
        if !(turning_speed.is_finite() && turning_speed > 0.0) {
            return Err(ArmError::TurningSpeed(turning_speed));
        }
        Ok(Self { segment_count, segment_length, maximum_bend, turning_speed })
    }

    /// The same shape with another speed.
    ///
    /// # Errors
    /// [`ArmError::TurningSpeed`].
    pub fn with_turning_speed(self, turning_speed: f64) -> Result<Self, ArmError> {
        Self::new(self.segment_count, self.segment_length, self.maximum_bend, turning_speed)
    }

    /// Segments, 2..=100.
    pub const fn segment_count(&self) -> usize {
        self.segment_count
    }

    /// Length of a segment, px.
    pub const fn segment_length(&self) -> f64 {
        self.segment_length
    }

    /// Largest bend of every joint but the base, rad.
    pub const fn maximum_bend(&self) -> f64 {
        self.maximum_bend
    }

    /// Largest speed of every joint, rad/s.
    pub const fn turning_speed(&self) -> f64 {
        self.turning_speed
    }

    /// Length of the stretched arm, px.
    pub fn reach(&self) -> f64 {
        self.segment_length * self.segment_count as f64
    }
}

/// Angles, headings and points of an arm at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// First absolute, the rest relative, rad.
    pub angles: Vec<f64>,
    /// Running sums of the angles, unwrapped, rad.
    pub headings: Vec<f64>,
    /// Joints from base to tip, one more than segments, px.
    pub points: Vec<Point>,
}

impl Pose {
    /// A pose with room for so many segments; all zero.
    pub fn with_segments(count: usize) -> Self {
        Self {
            angles: alloc::vec![0.0; count],
            headings: alloc::vec![0.0; count],
            points: alloc::vec![Point::default(); count + 1],
        }
    }

    /// Rebuilds headings and points from the angles.
    pub fn rebuild(&mut self, base: Point, length: f64) {
        let mut at = base;
        let mut heading = 0.0;
        self.points[0] = base;
        for ((angle, out), point) in
            self.angles.iter().zip(&mut self.headings).zip(&mut self.points[1..])
        {
            heading += angle;
            at = at + Point::unit(heading) * length;
            *out = heading;
            *point = at;
        }
    }

    /// Takes over another pose of the same size without allocating.
    pub fn copy_from(&mut self, other: &Self) {
        self.angles.copy_from_slice(&other.angles);
        self.headings.copy_from_slice(&other.headings);
        self.points.copy_from_slice(&other.points);
    }

    /// The free end.
    #[inline]
    pub fn tip(&self) -> Point {
        self.points[self.points.len() - 1]
    }

    /// Segments.
    pub fn segments(&self) -> usize {
        self.angles.len()
    }
}

/// An arm: where it is fixed, how it is built, how it lies.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    base: Point,
    initial_heading: f64,
    parameters: ArmParameters,
    pub(crate) pose: Pose,
}

impl Arm {
    /// A fresh arm: joint 1 along `heading`, the other joints bent by min(0.06, limit).
    pub fn new(base: Point, heading: f64, parameters: ArmParameters) -> Self {
        let mut pose = Pose::with_segments(parameters.segment_count);
        pose.angles.fill(INITIAL_BEND.min(parameters.maximum_bend));
        pose.angles[0] = wrap(heading);
        pose.rebuild(base, parameters.segment_length);
        Self { base, initial_heading: heading, parameters, pose }
    }

    /// Where the arm is fixed, px.
    pub const fn base(&self) -> Point {
        self.base
    }

    /// Heading of a fresh arm, rad.
    pub const fn initial_heading(&self) -> f64 {
        self.initial_heading
    }

    /// Shape and speed.
    pub const fn parameters(&self) -> &ArmParameters {
        &self.parameters
    }

    /// How the arm lies.
    pub const fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The free end, px.
    pub fn tip(&self) -> Point {
        self.pose.tip()
    }

    /// Where a carried food is brought by a retract command, px.
    pub fn retract_goal(&self) -> Point {
        self.base + Point::unit(self.initial_heading) * crate::constants::RETRACT_DISTANCE
    }

    pub(crate) fn set_parameters(&mut self, parameters: ArmParameters) {
        debug_assert_eq!(parameters.segment_count, self.parameters.segment_count);
        self.parameters = parameters;
    }

    /// Takes a proposed pose and leaves the old one in its place.
    ///
    /// # Panics
    /// When the number of segments differs.
    pub fn take(&mut self, next: &mut Pose) {
        assert_eq!(next.segments(), self.pose.segments(), "a pose of the same arm");
        core::mem::swap(&mut self.pose, next);
    }

    /// Puts the arm into a stored pose.
    ///
    /// Returns false, and changes nothing, when an angle is not finite, a bend is beyond the limit
    /// or the number of angles is wrong.
    pub fn set_angles(&mut self, angles: &[f64]) -> bool {
        let limit = self.parameters.maximum_bend;
        let fits = angles.len() == self.pose.angles.len()
            && angles.iter().all(|a| a.is_finite())
            && angles[1..].iter().all(|a| (-limit..=limit).contains(a));
        if fits {
            self.pose.angles.copy_from_slice(angles);
            self.pose.rebuild(self.base, self.parameters.segment_length);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_parameters_out_of_range_are_named() {
        assert_eq!(ArmParameters::new(1, 12.0, 1.0, 1.0), Err(ArmError::SegmentCount(1)));
        assert_eq!(ArmParameters::new(101, 12.0, 1.0, 1.0), Err(ArmError::SegmentCount(101)));
        assert!(matches!(
            ArmParameters::new(5, f64::NAN, 1.0, 1.0),
            Err(ArmError::SegmentLength(_))
        ));
        assert_eq!(ArmParameters::new(5, 1.0, 3.2, 1.0), Err(ArmError::MaximumBend(3.2)));
        assert_eq!(ArmParameters::new(5, 1.0, 3.1, 0.0), Err(ArmError::TurningSpeed(0.0)));
    }

    #[test]
    fn unit_a_fresh_arm_curls_by_its_initial_bend() {
        let arm = Arm::new(Point::new(1.0, 2.0), 0.0, ArmParameters::default());
        assert_eq!(arm.pose().points[0], Point::new(1.0, 2.0));
        assert_eq!(arm.pose().points[1], Point::new(13.0, 2.0));
        assert!((arm.pose().headings[19] - 19.0 * 0.06).abs() < 1e-12);
    }

    #[test]
    fn unit_a_stored_pose_beyond_the_limits_is_refused() {
        let mut arm = Arm::new(Point::default(), 0.0, ArmParameters::default());
        let before = arm.clone();
        assert!(!arm.set_angles(&[0.0; 19]));
        assert!(!arm.set_angles(&[2.0; 20]));
        assert_eq!(arm, before);
        assert!(arm.set_angles(&[0.5; 20]));
    }
}
