//! Hazards: circles that are to be kept away from.
//!
//! Terms: a hazard is *critical* at or above the critical severity; its *zone* is the disc of
//! radius severity × radius around its centre, from which arms recoil below that. A hazard that
//! has been critical stays so until its severity has fallen 0.05 below the limit.

use tropism_core::FixedList;

use crate::constants::HAZARDS_MAX;
use crate::objects::Disc;
use crate::vector::Point;

/// Severity by which a critical hazard must fall below the limit to count as lesser again.
pub const SEVERITY_HYSTERESIS: f64 = 0.05;

/// Identity of a hazard, from 1 upwards, never used twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct HazardId(pub u32);

/// A reported hazard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hazard {
    /// Identity.
    pub id: HazardId,
    /// Centre, px.
    pub position: Point,
    /// Radius, px.
    pub radius: f64,
    /// 0 harmless to 1 deadly.
    pub severity: f64,
    /// Ticks for which it will still count; `None` without end.
    pub ticks_left: Option<u64>,
    /// It is critical now, hysteresis included.
    pub is_critical: bool,
}

impl Hazard {
    /// The disc from which arms recoil when the hazard is not critical.
    pub fn zone(&self) -> Disc {
        Disc { centre: self.position, radius: self.radius * self.severity, first_segment: 0 }
    }

    /// The whole disc.
    pub fn disc(&self) -> Disc {
        Disc { centre: self.position, radius: self.radius, first_segment: 0 }
    }
}

/// Why a hazard was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HazardError {
    /// Position not finite, radius not above 0, severity outside 0..=1, or no life time.
    Shape,
    /// Sixteen hazards are known already.
    Full,
    /// No hazard has this id.
    Unknown(HazardId),
}

impl core::fmt::Display for HazardError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Shape => f.write_str(
                "a hazard needs a finite position, a radius above 0, a severity in 0..=1 and a \
                 life time above 0",
            ),
            Self::Full => f.write_str("no room for another hazard"),
            Self::Unknown(id) => write!(f, "no hazard has the id {}", id.0),
        }
    }
}

impl core::error::Error for HazardError {}

/// The reported hazards.
#[derive(Clone, Debug, Default)]
pub struct Hazards {
    list: FixedList<Hazard, HAZARDS_MAX>,
    next_id: u32,
    revision: u64,
}

impl Hazards {
    /// Reports a hazard; `ticks` is its life time, `None` without end.
    ///
    /// # Errors
    /// [`HazardError::Shape`] and [`HazardError::Full`].
    pub fn report(
        &mut self,
        position: Point,
        radius: f64,
        severity: f64,
        ticks: Option<u64>,
    ) -> Result<HazardId, HazardError> {
        let is_shaped = position.is_finite()
            && radius.is_finite()
            && radius > 0.0
            && (0.0..=1.0).contains(&severity)
            && ticks != Some(0);
        if !is_shaped {
            return Err(HazardError::Shape);
        }
        let id = HazardId(self.next_id + 1);
        let hazard =
            Hazard { id, position, radius, severity, ticks_left: ticks, is_critical: false };
        if self.list.push(hazard).is_err() {
            return Err(HazardError::Full);
        }
        self.next_id += 1;
        self.revision += 1;
        Ok(id)
    }

    pub(crate) fn restore(&mut self, hazard: Hazard) -> bool {
        self.next_id = self.next_id.max(hazard.id.0);
        self.revision += 1;
        self.list.push(hazard).is_ok()
    }

    pub(crate) fn set_next_id(&mut self, next: u32) {
        self.next_id = self.next_id.max(next);
    }

    /// Hazards reported so far.
    pub const fn last_id(&self) -> u32 {
        self.next_id
    }

    /// Changes a hazard's severity.
    ///
    /// # Errors
    /// [`HazardError`] for an unknown id or a severity outside 0..=1.
    pub fn set_severity(&mut self, id: HazardId, severity: f64) -> Result<(), HazardError> {
        if !(0.0..=1.0).contains(&severity) {
            return Err(HazardError::Shape);
        }
        let found = self.list.iter_mut().find(|h| h.id == id).ok_or(HazardError::Unknown(id))?;
        found.severity = severity;
        self.revision += 1;
        Ok(())
    }

    /// Takes a hazard back.
    ///
    /// # Errors
    /// [`HazardError::Unknown`].
    pub fn clear(&mut self, id: HazardId) -> Result<(), HazardError> {
        if self.list.iter().any(|h| h.id == id) {
            self.keep(|h| h.id != id);
            Ok(())
        } else {
            Err(HazardError::Unknown(id))
        }
    }

    fn keep(&mut self, wanted: impl Fn(&Hazard) -> bool) {
        let before = self.list.len();
        let mut kept = FixedList::new();
        for hazard in self.list.iter().filter(|h| wanted(h)) {
            // The list it comes from has the same capacity.
            let _ = kept.push(*hazard);
        }
        self.list = kept;
        if self.list.len() != before {
            self.revision += 1;
        }
    }

    /// One tick passes: judges severities, then lets life times run out.
    pub(crate) fn age(&mut self, critical_severity: f64) {
        self.keep(|h| h.ticks_left != Some(0));
        let mut changed = false;
        for hazard in self.list.iter_mut() {
            let slack = if hazard.is_critical { SEVERITY_HYSTERESIS } else { 0.0 };
            let is_critical = hazard.severity >= critical_severity - slack;
            changed |= is_critical != hazard.is_critical;
            hazard.is_critical = is_critical;
            hazard.ticks_left = hazard.ticks_left.map(|left| left - 1);
        }
        self.revision += u64::from(changed);
    }

    /// All hazards in the order of their reports.
    pub fn all(&self) -> &[Hazard] {
        &self.list
    }

    /// Changes so far.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// True while any hazard is critical.
    pub fn any_critical(&self) -> bool {
        self.list.iter().any(|h| h.is_critical)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_a_hazard_lives_for_exactly_its_ticks() {
        let mut hazards = Hazards::default();
        hazards.report(Point::default(), 10.0, 1.0, Some(3)).unwrap();
        let mut seen = 0;
        for _ in 0..10 {
            hazards.age(0.95);
            seen += usize::from(hazards.any_critical());
        }
        assert_eq!(seen, 3);
    }

    #[test]
    fn unit_a_critical_hazard_needs_to_fall_further_than_it_rose() {
        let mut hazards = Hazards::default();
        let id = hazards.report(Point::default(), 10.0, 0.94, None).unwrap();
        let mut judged = |severity| {
            hazards.set_severity(id, severity).unwrap();
            hazards.age(0.95);
            hazards.any_critical()
        };
        assert_eq!(
            [0.94, 0.95, 0.91, 0.89, 0.94].map(&mut judged),
            [false, true, true, false, false]
        );
    }

    #[test]
    fn unit_bad_hazards_are_refused() {
        let mut hazards = Hazards::default();
        let at = Point::default();
        assert_eq!(hazards.report(at, 0.0, 0.5, None), Err(HazardError::Shape));
        assert_eq!(hazards.report(at, 1.0, 1.5, None), Err(HazardError::Shape));
        assert_eq!(hazards.report(at, 1.0, f64::NAN, None), Err(HazardError::Shape));
        assert_eq!(hazards.report(at, 1.0, 0.5, Some(0)), Err(HazardError::Shape));
        for _ in 0..16 {
            hazards.report(at, 1.0, 0.5, None).unwrap();
        }
        assert_eq!(hazards.report(at, 1.0, 0.5, None), Err(HazardError::Full));
        assert_eq!(hazards.clear(HazardId(99)), Err(HazardError::Unknown(HazardId(99))));
    }
}
