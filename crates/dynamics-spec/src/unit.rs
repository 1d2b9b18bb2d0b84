//! Units: dimensions and scale.
//!
//! The radian has no dimension here, as in the SI; whether a number is a direction is the business
//! of the angle check, not of the unit.

/// Exponents of metre, second, kilogram, ampere and volt.
///
/// The volt stands for itself: batteries and divider readings never meet kilograms here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimension(pub [i8; 5]);

const SYMBOLS: [&str; 5] = ["m", "s", "kg", "A", "V"];

impl Dimension {
    /// A pure number.
    pub const NONE: Self = Self([0; 5]);
    /// 1/s.
    pub const RATE: Self = Self([0, -1, 0, 0, 0]);
    /// s.
    pub const TIME: Self = Self([0, 1, 0, 0, 0]);

    /// Dimension of a product.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i].saturating_add(other.0[i])))
    }

    /// Dimension of a whole power.
    #[must_use]
    pub fn power(self, exponent: i8) -> Self {
        Self(self.0.map(|e| e.saturating_mul(exponent)))
    }

    /// Dimension of the square root, if it has one.
    pub fn root(self) -> Option<Self> {
        self.0.iter().all(|e| e % 2 == 0).then(|| Self(self.0.map(|e| e / 2)))
    }
}

impl core::fmt::Display for Dimension {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let part = |want_positive: bool| {
            let powers = self.0.iter().zip(SYMBOLS).filter(|(e, _)| (**e > 0) == want_positive);
            let powers = powers.filter(|(e, _)| **e != 0).map(|(e, s)| match e.unsigned_abs() {
                1 => s.to_owned(),
                n => format!("{s}^{n}"),
            });
            powers.collect::<Vec<_>>().join("*")
        };
        let (above, below) = (part(true), part(false));
        let above = if above.is_empty() { "1".to_owned() } else { above };
        if below.is_empty() { f.write_str(&above) } else { write!(f, "{above}/{below}") }
    }
}

/// A dimension and the factor to SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Its dimension.
    pub dimension: Dimension,
    /// SI value of one of it.
    pub scale: f64,
}

/// Reads one unit symbol.
pub fn symbol(name: &str) -> Option<Unit> {
    let unit = |index: usize, scale: f64| {
        let mut exponents = [0; 5];
        exponents[index] = 1;
        Some(Unit { dimension: Dimension(exponents), scale })
    };
    let pure = |scale: f64| Some(Unit { dimension: Dimension::NONE, scale });
    match name {
        "1" | "rad" => pure(1.0),
        "deg" => pure(core::f64::consts::PI / 180.0),
        "m" => unit(0, 1.0),
        "cm" => unit(0, 1e-2),
        "mm" => unit(0, 1e-3),
        "s" => unit(1, 1.0),
        "ms" => unit(1, 1e-3),
        "us" => unit(1, 1e-6),
        "kg" => unit(2, 1.0),
        "A" => unit(3, 1.0),
        "mA" => unit(3, 1e-3),
        "V" => unit(4, 1.0),
        "mV" => unit(4, 1e-3),
        "Hz" => Some(Unit { dimension: Dimension::RATE, scale: 1.0 }),
        _ => None,
    }
}

/// Reads a unit such as `m/s`, `1/s`, `rad/s` or `m^2`.
///
/// # Errors
/// The part that was not understood.
pub fn parse(text: &str) -> Result<Unit, String> {
    let mut unit = Unit { dimension: Dimension::NONE, scale: 1.0 };
    let (mut rest, mut sign) = (text.trim(), 1_i8);
    loop {
        let end = rest.find(['*', '/']).unwrap_or(rest.len());
        let (name, power) = match rest[..end].split_once('^') {
            Some((name, power)) => {
                (name.trim(), power.trim().parse::<i8>().map_err(|e| format!("`{power}`: {e}"))?)
            }
            None => (rest[..end].trim(), 1),
        };
        let part = symbol(name).ok_or_else(|| format!("`{name}` is no unit"))?;
        let power = power * sign;
        unit.dimension = unit.dimension.times(part.dimension.power(power));
        unit.scale *= tropism_core::math::f64::pow(part.scale, f64::from(power));
        let Some(operator) = rest[end..].chars().next() else {
            return Ok(unit);
        };
        sign = if operator == '/' { -1 } else { 1 };
        rest = &rest[end + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_units_are_read_and_written() {
        for (text, shown) in [("m/s", "m/s"), ("1/s", "1/s"), ("rad/s", "1/s"), ("m^2", "m^2")] {
            assert_eq!(parse(text).unwrap().dimension.to_string(), shown);
        }
        assert!((parse("cm").unwrap().scale - 0.01).abs() < 1e-15);
        assert!(parse("furlong").unwrap_err().contains("furlong"));
        assert_eq!(parse("m^2").unwrap().dimension.root(), Some(parse("m").unwrap().dimension));
    }
}
