//! A life state in a few lines for people.

use core::fmt;

use tropism_organism::Need;

use crate::LifeState;

impl fmt::Display for LifeState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = &self.state;
        let seconds = self.time_step().seconds_at(s.age);
        writeln!(f, "life state, version {}", self.version())?;
        writeln!(f, "body:          {}, fingerprint {:08x}", self.body(), self.fingerprint())?;
        channels(f, "actuators:    ", self.actuators())?;
        channels(f, "sensors:      ", self.sensors())?;
        writeln!(f, "age:           {} ticks, {:.2} h", s.age.0, seconds / 3600.0)?;
        f.write_str("needs:        ")?;
        for need in Need::ALL {
            write!(f, " {} {:.3}", need.name(), s.physiology.values[need as usize])?;
        }
        let contingency = &s.contingency;
        let strongest = contingency
            .slots()
            .filter_map(|slot| contingency.entry(slot))
            .fold(0.0_f32, |most, entry| if entry.strength > most { entry.strength } else { most });
        writeln!(f)?;
        writeln!(f, "contingencies: {} of 256, strongest {strongest:.3}", contingency.count())?;
        writeln!(f, "places:        {} of 32", s.spatial.count())?;
        let (weights, traces) = s.reflex.magnitudes();
        write!(f, "reflexes:      sum of |weight| {weights:.4}, of |trace| {traces:.4}")
    }
}

fn channels(f: &mut fmt::Formatter<'_>, title: &str, names: &[tropism_core::Name]) -> fmt::Result {
    f.write_str(title)?;
    for name in names {
        write!(f, " {name}")?;
    }
    writeln!(f)
}
