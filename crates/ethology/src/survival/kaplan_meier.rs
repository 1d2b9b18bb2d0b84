//! The product-limit estimate of the survivor function.

use serde::Serialize;
use tropism_core::math::f64 as math;

use super::lifespan::{Fate, Lifespan};
use crate::statistics::{Interval, normal::Z_95};
use crate::table::{Column, Kind, Table, TableError};

/// The curve at one time with at least one death or censoring.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Time, in the unit of the lifespans.
    pub time: f64,
    /// Lives observed to last at least this long.
    pub at_risk: u64,
    /// Deaths at this time.
    pub deaths: u64,
    /// Lives censored at this time, counted as alive through it.
    pub censored: u64,
    /// S just after this time.
    pub survival: f64,
    /// Greenwood variance of `survival`; 0 once the curve has reached 0.
    pub variance: f64,
    /// Log-log 95 % band; `None` where the curve is at 1 or 0.
    pub band: Option<Interval>,
}

/// A survivor curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KaplanMeier {
    /// Number of lives.
    pub n: usize,
    /// Steps by ascending time.
    pub steps: Vec<Step>,
}

impl KaplanMeier {
    /// Estimates the curve; lifespans that are negative or not finite are left out.
    ///
    /// Model: S(t) = Π over times tᵢ ≤ t of (1 − dᵢ/nᵢ), with Greenwood's variance
    /// S²·Σ dᵢ/(nᵢ(nᵢ − dᵢ)) and the band S^exp(±1.96·√Σ/ln S) on the scale log(−log S).
    ///
    /// # Example
    /// ```
    /// use tropism_ethology::survival::{KaplanMeier, Lifespan};
    /// let curve = KaplanMeier::fit(&[Lifespan::died(0, 2.0), Lifespan::censored(1, 3.0)]);
    /// assert_eq!(curve.survival_at(2.5), 0.5);
    /// ```
    ///
    /// # Source
    /// Kaplan and Meier 1958; Greenwood 1926; Kalbfleisch and Prentice 1980, section 1.3 (band).
    pub fn fit(lives: &[Lifespan]) -> Self {
        let mut sorted: Vec<Lifespan> = lives
            .iter()
            .copied()
            .filter(|life| life.duration.is_finite() && life.duration >= 0.0)
            .collect();
        sorted.sort_by(|a, b| a.duration.total_cmp(&b.duration));
        let mut at_risk = sorted.len() as u64;
        let (mut survival, mut hazard_sum) = (1.0, 0.0);
        let mut steps = Vec::new();
        for group in sorted.chunk_by(|a, b| a.duration.to_bits() == b.duration.to_bits()) {
            let deaths = group.iter().filter(|life| life.fate == Fate::Died).count() as u64;
            let censored = group.len() as u64 - deaths;
            let (n, d) = (at_risk as f64, deaths as f64);
            survival *= 1.0 - d / n;
            if deaths < at_risk {
                hazard_sum += d / (n * (n - d));
            }
            steps.push(Step {
                time: group[0].duration,
                at_risk,
                deaths,
                censored,
                survival,
                variance: survival * survival * hazard_sum,
                band: log_log_band(survival, hazard_sum),
            });
            at_risk -= deaths + censored;
        }
        Self { n: sorted.len(), steps }
    }

    /// S(t), with 1 before the first death and the last value after the last observation.
    pub fn survival_at(&self, time: f64) -> f64 {
        let passed = self.steps.partition_point(|step| step.time <= time);
        passed.checked_sub(1).map_or(1.0, |last| self.steps[last].survival)
    }

    /// Smallest time at which S ≤ ½; `None` when the curve stays above.
    pub fn median(&self) -> Option<f64> {
        // Half of the lives must be half after rounding too.
        self.steps.iter().find(|step| step.survival <= 0.5 + 1e-12).map(|step| step.time)
    }

    /// Time of the last observation; 0 without lives.
    pub fn last_time(&self) -> f64 {
        self.steps.last().map_or(0.0, |step| step.time)
    }

    /// One row per step: time, lives at risk, deaths, censored lives, S, its error and band.
    ///
    /// # Errors
    /// None in practice: the columns are fixed and distinct.
    pub fn table(&self) -> Result<Table, TableError> {
        let mut columns: Vec<Column> =
            ["at_risk", "deaths", "censored"].map(|name| Column::new(name, Kind::U64)).into();
        columns.insert(0, Column::new("time", Kind::F64));
        for name in ["survival", "standard_error", "low", "high"] {
            columns.push(Column::new(name, Kind::F64));
        }
        let mut table = Table::new(columns)?;
        for step in &self.steps {
            table.push(&[
                step.time.into(),
                step.at_risk.into(),
                step.deaths.into(),
                step.censored.into(),
                step.survival.into(),
                math::sqrt(step.variance).into(),
                step.band.map(|band| band.low).into(),
                step.band.map(|band| band.high).into(),
            ])?;
        }
        Ok(table)
    }

    /// Number of deaths.
    pub fn deaths(&self) -> u64 {
        self.steps.iter().map(|step| step.deaths).sum()
    }
}

fn log_log_band(survival: f64, hazard_sum: f64) -> Option<Interval> {
    if survival <= 0.0 || survival >= 1.0 {
        return None;
    }
    let log = math::ln(survival);
    let shift = Z_95 * math::sqrt(hazard_sum) / log;
    let bound = |sign: f64| math::exp(log * math::exp(sign * shift));
    Some(Interval::between(bound(1.0), bound(-1.0)))
}

#[cfg(test)]
pub(super) mod tests {
    use core::fmt::Write as _;

    use expect_test::expect;
    use proptest::prelude::*;

    use super::*;

    /// Remission times in weeks under 6-MP: Freireich and others 1963, table in Cox 1972.
    pub(crate) fn freireich_6mp() -> Vec<Lifespan> {
        let died = [6, 6, 6, 7, 10, 13, 16, 22, 23];
        let censored = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35];
        let died = (0..).zip(died).map(|(i, t)| Lifespan::died(i, f64::from(t)));
        let censored = (9..).zip(censored).map(|(i, t)| Lifespan::censored(i, f64::from(t)));
        died.chain(censored).collect()
    }

    #[test]
    fn golden_freireich_1963_remission_under_6mp() {
        // By hand: S(6) = 18/21, S(7) = 18/21·16/17, S(10) = …·14/15, S(13) = …·11/12,
        // S(16) = …·10/11, S(22) = …·6/7, S(23) = …·5/6.
        let curve = KaplanMeier::fit(&freireich_6mp());
        let mut text = String::from("time at_risk deaths survival error low high\n");
        for step in curve.steps.iter().filter(|step| step.deaths > 0) {
            let band = step.band.unwrap();
            let _ = writeln!(
                text,
                "{:4} {:7} {:6} {:.4} {:.4} {:.3} {:.3}",
                step.time,
                step.at_risk,
                step.deaths,
                step.survival,
                step.variance.sqrt(),
                band.low,
                band.high
            );
        }
        expect![[r"
            time at_risk deaths survival error low high
               6      21      3 0.8571 0.0764 0.620 0.952
               7      17      1 0.8067 0.0869 0.563 0.923
              10      15      1 0.7529 0.0963 0.503 0.889
              13      12      1 0.6902 0.1068 0.432 0.849
              16      11      1 0.6275 0.1141 0.368 0.805
              22       7      1 0.5378 0.1282 0.268 0.747
              23       6      1 0.4482 0.1346 0.188 0.680
        "]]
        .assert_eq(&text);
        let by_hand =
            18.0 / 21.0 * 16.0 / 17.0 * 14.0 / 15.0 * 11.0 / 12.0 * 10.0 / 11.0 * 6.0 / 7.0 * 5.0
                / 6.0;
        assert!((curve.survival_at(23.0) - by_hand).abs() < 1e-14);
        assert_eq!((curve.median(), curve.deaths(), curve.n), (Some(23.0), 9, 21));
    }

    #[test]
    fn unit_curves_of_no_life_one_death_and_only_censored_lives() {
        let none = KaplanMeier::fit(&[Lifespan::died(0, f64::NAN), Lifespan::died(0, -1.0)]);
        assert!(none.n == 0 && (none.survival_at(1.0) - 1.0).abs() < 1e-15);
        let one = KaplanMeier::fit(&[Lifespan::died(0, 2.0)]);
        assert_eq!(
            one.table().unwrap().to_csv(),
            "time,at_risk,deaths,censored,survival,standard_error,low,high\n2.0,1,1,0,0.0,0.0,,\n"
        );
        assert_eq!((one.survival_at(2.0), one.steps[0].band, one.median()), (0.0, None, Some(2.0)));
        assert!(one.steps[0].variance.abs() < 1e-15);
        let alive = KaplanMeier::fit(&[Lifespan::censored(0, 2.0), Lifespan::censored(1, 3.0)]);
        assert_eq!((alive.survival_at(9.0), alive.median()), (1.0, None));
    }

    proptest! {
        #[test]
        fn prop_without_censoring_the_curve_is_the_empirical_survivor_function(
            spans in prop::collection::vec(0_u32..40, 1..60), at in 0.0_f64..45.0
        ) {
            let lives: Vec<_> = spans.iter().map(|t| Lifespan::died(0, f64::from(*t))).collect();
            let longer = spans.iter().filter(|t| f64::from(**t) > at).count();
            let expected = longer as f64 / spans.len() as f64;
            let curve = KaplanMeier::fit(&lives);
            prop_assert!((curve.survival_at(at) - expected).abs() < 1e-12);
            // Greenwood's variance is then the binomial one.
            for step in &curve.steps {
                let s = step.survival;
                prop_assert!((step.variance - s * (1.0 - s) / spans.len() as f64).abs() < 1e-12);
            }
        }

        #[test]
        fn prop_curves_fall_and_bands_hold_them(
            spans in prop::collection::vec((0.0_f64..40.0, any::<bool>()), 1..60)
        ) {
            let life = |(t, died): &(f64, bool)| {
                if *died { Lifespan::died(0, *t) } else { Lifespan::censored(0, *t) }
            };
            let curve = KaplanMeier::fit(&spans.iter().map(life).collect::<Vec<_>>());
            let mut last = 1.0;
            for step in &curve.steps {
                prop_assert!(step.survival <= last && step.survival >= 0.0);
                last = step.survival;
                if let Some(band) = step.band {
                    prop_assert!(band.contains(step.survival));
                    prop_assert!(band.low >= 0.0 && band.high <= 1.0);
                }
            }
            prop_assert_eq!(curve.steps.iter().map(|s| s.deaths + s.censored).sum::<u64>(),
                            spans.len() as u64);
        }
    }
}
