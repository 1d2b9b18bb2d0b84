//! Experiment files: conditions × seeds over a scenario.

use alloc::collections::BTreeMap;
use core::ops::Range;

use crate::conditions::BUILT_IN_CONDITIONS;
use crate::document::{Condition, Experiment, Scenario, Twins};
use crate::error::suggest;
use crate::mind_file::{self, CONDITION, Host, condition_names};
use crate::reader::Reader;
use crate::scenario_file::{self, CAP_MAX_S, LIVES_MAX, SCENARIO};
use crate::schema::{Key, Kind, Table};
use crate::source::{Format, Source, line_of};
use crate::validate::shown;

/// Most conditions.
const CONDITIONS_MAX: usize = 256;

/// Most seeds.
const SEEDS_MAX: u64 = 100_000;

static SEEDS: Table = Table {
    name: "seeds",
    about: "A run of seeds.",
    keys: &[
        Key::whole("first", (0, u64::MAX), "First seed.").or_whole(1),
        Key::whole("count", (1, SEEDS_MAX), "Number of seeds."),
    ],
};

static TWINS: Table = Table {
    name: "twins",
    about: "Two organisms with different pasts in the same world stream.",
    keys: &[
        Key::must("condition", Kind::Text, "Name of the condition."),
        Key::number("past_s", "s", (0.0, CAP_MAX_S), "Length of the separate pasts.").or(3600.0),
        Key::number("compare_s", "s", (0.05, CAP_MAX_S), "Length of the comparison.").or(600.0),
        Key::number("every_s", "s", (0.001, CAP_MAX_S), "Between two comparisons.").or(1.0),
        Key::whole("seed_offset", (1, u64::MAX), "From the seed of the first past to the second.")
            .or_whole(1_000_000),
    ],
};

/// An experiment file.
pub(crate) static EXPERIMENT: Table = Table {
    name: "experiment",
    about: "Conditions × seeds over a scenario.",
    keys: &[
        Key::must("kind", Kind::Choice(&["experiment"]), "What the file is."),
        Key::may("name", Kind::Text, "Its name; left out, that of the scenario."),
        Key::may("about", Kind::Text, "What it shows, in one sentence."),
        Key::must("scenario", Kind::Source(&SCENARIO), "What is run: a path, or the table."),
        Key::may("conditions", Kind::Words, "Built-in conditions by name."),
        Key::may("condition", Kind::Tables(&CONDITION), "Conditions of its own, after those."),
        Key::must("seeds", Kind::Seeds(&SEEDS), "Seeds: one organism per seed and condition."),
        Key::may("lives", Kind::Whole(1, LIVES_MAX), "Lives; left out, as the scenario says."),
        Key::number(
            "life_cap_s",
            "s",
            (0.001, CAP_MAX_S),
            "Longest life; left out, the scenario's.",
        )
        .optional(),
        Key::may("baseline", Kind::Text, "Condition that paired differences are taken from."),
        Key::number("full_share", "1", (0.0, 1.0), "Charge from which a battery counts as full.")
            .or(0.9),
        Key::may("twins", Kind::Table(&TWINS), "Comparison of twins."),
    ],
};

/// How experiment files are read.
pub(crate) const FORMAT: Format<Experiment> =
    Format { kind: "experiment", schema: &EXPERIMENT, built_in: &[], read };

fn listed_seeds(r: &Reader<'_>) -> Option<Vec<u64>> {
    let value = r.raw("seeds")?;
    let items = value.get_ref().as_array().or_else(|| {
        r.fault(
            "seeds",
            "`seeds` is neither a list nor a table",
            "give [1, 2, 3] or { first = 1, count = 32 }",
        );
        None
    })?;
    let mut seeds: Vec<u64> = Vec::new();
    let mut places: BTreeMap<u64, Range<usize>> = BTreeMap::new();
    for (i, item) in items.iter().enumerate() {
        let path = format!("seeds[{i}]");
        let text = item.get_ref().as_integer().map(|n| (n.as_str().replace('_', ""), n.radix()));
        let Some(seed) = text.and_then(|(text, radix)| u64::from_str_radix(&text, radix).ok())
        else {
            let what = format!("seed {} is no whole number from 0", i + 1);
            r.doc.fault(&item.span(), &path, what, "give numbers such as 1, 2, 3");
            continue;
        };
        seeds.push(seed);
        if let Some(first) = places.insert(seed, item.span())
            && !r.doc.faults.is_full()
        {
            let what = format!("seed {seed} is already given on line {}", line_of(r, &first));
            let right = "equal seeds give equal runs; give every organism its own";
            r.doc.fault(&item.span(), &path, what, right);
        }
    }
    if items.is_empty() {
        r.fault("seeds", "no seeds", "give at least one, better 20 or more");
    }
    if items.len() as u64 > SEEDS_MAX {
        r.fault("seeds", format!("{} seeds", items.len()), format!("give at most {SEEDS_MAX}"));
    }
    Some(seeds)
}

fn seeds(r: &Reader<'_>) -> Option<Vec<u64>> {
    let Some(table) = r.table("seeds") else {
        return listed_seeds(r);
    };
    let (first, count) = (table.whole("first"), table.whole("count").min(SEEDS_MAX));
    let Some(end) = first.checked_add(count) else {
        table.fault("first", "the last seed would be too large", "start lower");
        return None;
    };
    Some((first..end).collect())
}

fn conditions(r: &Reader<'_>, scenario: &Scenario) -> Vec<Condition> {
    let body = &scenario.world.robots[0].plan.body;
    let host = Host { body, step: scenario.step };
    let mut found: Vec<Condition> = Vec::new();
    for (i, (name, span)) in r.words("conditions").into_iter().enumerate() {
        let path = format!("conditions[{i}]");
        let about = BUILT_IN_CONDITIONS.iter().find(|(n, _)| *n == name);
        let mind = crate::built_in_condition_at(name, body, scenario.step);
        let (Some((_, about)), Some(mind)) = (about, mind) else {
            let shown = shown(name);
            let what = format!("no built-in condition is named `{}`", shown.escape_debug());
            r.doc.fault(&span, &path, what, suggest(name, &condition_names()));
            continue;
        };
        if found.iter().any(|c| c.name == name) {
            let what = format!("condition `{name}` is listed twice");
            r.doc.fault(&span, &path, what, "list it once");
        }
        found.push(Condition { name: name.to_owned(), about: (*about).to_owned(), mind });
    }
    for table in r.tables("condition") {
        let name = table.text("name");
        if found.iter().any(|c| c.name == name) {
            let what = format!("two conditions are named `{name}`");
            table.fault("name", what, "give each condition its own name");
        }
        let Some(mind) = mind_file::read(&table, host) else {
            continue;
        };
        let about = table.text("about").to_owned();
        found.push(Condition { name: name.to_owned(), about, mind });
    }
    found
}

fn check_condition(r: &Reader<'_>, key: &str, conditions: &[Condition]) {
    let names: Vec<&str> = conditions.iter().map(|c| c.name.as_str()).collect();
    if let Some(name) = r.maybe_text(key).filter(|name| !names.contains(name)) {
        r.unknown(key, "condition of this experiment", name, &names);
    }
}

fn twins(r: &Reader<'_>, conditions: &[Condition]) -> Option<Twins> {
    let table = r.table("twins")?;
    check_condition(&table, "condition", conditions);
    Some(Twins {
        condition: table.text("condition").to_owned(),
        past_s: table.seconds("past_s"),
        compare_s: table.seconds("compare_s"),
        every_s: table.seconds("every_s"),
        seed_offset: table.whole("seed_offset"),
    })
}

fn read(r: &Reader<'_>) -> Option<Experiment> {
    let seeds = seeds(r);
    let scenario = scenario_file::FORMAT.resolve(r, "scenario")?;
    let count = r.words("conditions").len() + r.tables("condition").len();
    if count > CONDITIONS_MAX {
        let right = format!("an experiment has at most {CONDITIONS_MAX}");
        r.fault("conditions", format!("{count} conditions"), right);
        return None;
    }
    let conditions = conditions(r, &scenario);
    if conditions.is_empty() && r.words("conditions").is_empty() && !r.has("condition") {
        let right = "give conditions = [\"full\", …] or [[condition]]";
        r.fault("conditions", "an experiment without conditions", right);
    }
    check_condition(r, "baseline", &conditions);
    let twins = twins(r, &conditions);
    Some(Experiment {
        name: r.maybe_text("name").unwrap_or(&scenario.name).to_owned(),
        about: r.text("about").to_owned(),
        source: Source { path: r.doc.label.to_owned(), text: r.doc.text.to_owned() },
        included: r.doc.origin.included(),
        seeds: seeds?,
        lives: r.maybe_whole("lives").map_or(scenario.lives, |lives| lives as u32),
        life_cap_s: r.maybe_seconds("life_cap_s").unwrap_or(scenario.life_cap_s),
        baseline: r.maybe_text("baseline").map(str::to_owned),
        full_share: r.number("full_share"),
        conditions,
        twins,
        scenario,
    })
}
