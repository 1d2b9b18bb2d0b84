//! What raters said: means by condition, and how far the raters agree.

use alloc::collections::BTreeMap;
use core::fmt::Write as _;

use serde::Serialize;
use tropism_ethology::statistics::{
    BOOTSTRAP, Bootstrap, Interval, Paired, bca_mean, compare_paired, krippendorff_alpha, mean,
};

use super::make::Key;
use super::ratings::Rating;
use crate::error::LabError;

/// A condition in the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionRow {
    /// The condition.
    pub condition: String,
    /// Organisms rated.
    pub organisms: usize,
    /// Ratings of them.
    pub ratings: usize,
    /// Mean over organisms of the mean over raters.
    pub mean: f64,
    /// Bootstrap 95 % interval over organisms.
    pub interval: Option<Interval>,
    /// Difference from the baseline over shared seeds; `None` for the baseline.
    pub against_baseline: Option<Paired>,
}

/// A rater in the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaterRow {
    /// Who.
    pub rater: String,
    /// Clips rated.
    pub clips: usize,
    /// Mean rating.
    pub mean: f64,
}

/// What raters said.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyReport {
    /// Condition that the others are compared with.
    pub baseline: String,
    /// By condition, in the order of the key's names.
    pub conditions: Vec<ConditionRow>,
    /// By rater.
    pub raters: Vec<RaterRow>,
    /// Krippendorff's α over clips, interval metric.
    pub alpha: Option<f64>,
    /// Bootstrap 95 % interval of α over clips.
    pub alpha_interval: Option<Interval>,
    /// What makes the numbers doubtful.
    pub warnings: Vec<String>,
}

/// Puts ratings and key together.
///
/// A clip that a rater rated more than once counts by the last answer. Ratings of clips that the
/// key does not have are left out with a warning.
///
/// # Errors
/// [`LabError::Data`] when no rating fits the key, or when the baseline is no condition of it.
pub fn report(key: &[Key], ratings: &[Rating], baseline: &str) -> Result<StudyReport, LabError> {
    let by_clip: BTreeMap<&str, &Key> = key.iter().map(|k| (k.clip.as_str(), k)).collect();
    if !key.iter().any(|k| k.condition == baseline) {
        let what = format!("{baseline} is no condition of this study; name one of its key");
        return Err(LabError::Data(what));
    }
    let mut last: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    let mut strange = 0;
    for rating in ratings {
        match by_clip.get(rating.clip.as_str()) {
            Some(_) => drop(last.insert((&rating.clip, &rating.rater), rating.rating)),
            None => strange += 1,
        }
    }
    if last.is_empty() {
        return Err(LabError::Data("no rating is of a clip of this key".into()));
    }
    let mut clips: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut raters: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for ((clip, rater), rating) in &last {
        clips.entry(clip).or_default().push(*rating);
        raters.entry(rater).or_default().push(*rating);
    }
    let mut organisms: BTreeMap<&str, Vec<(u64, f64, usize)>> = BTreeMap::new();
    for (clip, ratings) in &clips {
        if let (Some(key), Some(mean)) = (by_clip.get(clip), mean(ratings)) {
            organisms.entry(&key.condition).or_default().push((key.seed, mean, ratings.len()));
        }
    }
    let units: Vec<Vec<f64>> = clips.values().cloned().collect();
    let mut warnings = Vec::new();
    if strange > 0 {
        warnings.push(format!("{strange} ratings are of clips that the key does not have"));
    }
    let fewest = organisms.values().map(Vec::len).min().unwrap_or(0);
    if fewest < 20 {
        warnings.push(format!("{fewest} organisms in a condition; 20 or more give fair intervals"));
    }
    let alpha = krippendorff_alpha(&units);
    if alpha.is_none() {
        warnings.push("no clip was rated by two raters: agreement is unknown".into());
    }
    Ok(StudyReport {
        baseline: baseline.to_owned(),
        conditions: conditions(&organisms, baseline),
        raters: raters
            .into_iter()
            .map(|(rater, all)| RaterRow {
                rater: rater.to_owned(),
                clips: all.len(),
                mean: mean(&all).unwrap_or(f64::NAN),
            })
            .collect(),
        alpha,
        alpha_interval: alpha.and_then(|_| alpha_interval(&units)),
        warnings,
    })
}

fn conditions(
    organisms: &BTreeMap<&str, Vec<(u64, f64, usize)>>,
    baseline: &str,
) -> Vec<ConditionRow> {
    let pairs = |name: &str| -> Vec<(u64, f64)> {
        organisms.get(name).into_iter().flatten().map(|(seed, mean, _)| (*seed, *mean)).collect()
    };
    let base = pairs(baseline);
    let row = |(name, of): (&&str, &Vec<(u64, f64, usize)>)| {
        let means: Vec<f64> = of.iter().map(|o| o.1).collect();
        let is_baseline = *name == baseline;
        ConditionRow {
            condition: (*name).to_owned(),
            organisms: of.len(),
            ratings: of.iter().map(|o| o.2).sum(),
            mean: mean(&means).unwrap_or(f64::NAN),
            interval: bca_mean(&means, BOOTSTRAP),
            against_baseline: (!is_baseline)
                .then(|| compare_paired(&base, &pairs(name), BOOTSTRAP))
                .flatten(),
        }
    };
    organisms.iter().map(row).collect()
}

fn alpha_interval(units: &[Vec<f64>]) -> Option<Interval> {
    let plan = Bootstrap { resamples: 1000, ..BOOTSTRAP };
    let mut alphas = tropism_ethology::statistics::resample(units.len(), plan, |chosen| {
        let drawn: Vec<Vec<f64>> = chosen.iter().map(|i| units[*i].clone()).collect();
        krippendorff_alpha(&drawn)
    });
    alphas.sort_by(f64::total_cmp);
    tropism_ethology::statistics::percentile_interval(&alphas)
}

/// The report as text for a terminal.
pub fn describe(report: &StudyReport) -> String {
    let mut text = String::new();
    let width = report.conditions.iter().map(|c| c.condition.len()).max().unwrap_or(9).max(9);
    let between = |i: &Option<Interval>| {
        i.map_or_else(|| "–".to_owned(), |i| format!("[{:.2}, {:.2}]", i.low, i.high))
    };
    let _ = writeln!(
        text,
        "{:width$}  organisms  ratings   mean  95 % interval   minus {}",
        "condition", report.baseline
    );
    for row in &report.conditions {
        let against = row.against_baseline.as_ref().map_or_else(String::new, |paired| {
            let effect = paired.cohen_dz.map_or_else(String::new, |d| format!(", d_z {d:+.2}"));
            format!("{:+.2} {}{effect}", paired.mean, between(&paired.interval))
        });
        let _ = writeln!(
            text,
            "{:width$}  {:9}  {:7}  {:5.2}  {:14}  {against}",
            row.condition,
            row.organisms,
            row.ratings,
            row.mean,
            between(&row.interval),
        );
    }
    text.push('\n');
    for rater in &report.raters {
        let _ = writeln!(text, "{}: {} clips, mean {:.2}", rater.rater, rater.clips, rater.mean);
    }
    if let Some(alpha) = report.alpha {
        let interval = between(&report.alpha_interval);
        let _ = writeln!(text, "\nagreement of raters (Krippendorff's α): {alpha:.3} {interval}");
    }
    for warning in &report.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    text
}
