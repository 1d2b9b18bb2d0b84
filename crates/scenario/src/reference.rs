//! The reference of every key and parameter, made from their declarations.

use core::fmt::Write as _;

use tropism_body::SafetyParameters;
use tropism_core::Parameter;
use tropism_core::parameter::ParameterSet;

use crate::built_in;
use crate::experiment_file::EXPERIMENT;
use crate::machine::file::MACHINE;
use crate::mind_file::GROUPS;
use crate::scenario_file::SCENARIO;
use crate::schema::{Absent, Key, Kind, TYPE, Table, Union};

/// A cell of a table: no line breaks, no bars.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn absent(key: &Key) -> String {
    match key.absent {
        Absent::Refused => String::from("required"),
        Absent::Nothing => String::new(),
        Absent::Number(x) => format!("{x}"),
        Absent::Whole(x) => format!("{x}"),
        Absent::Switch(is_on) => format!("{is_on}"),
        Absent::Word(word) => format!("\"{word}\""),
        Absent::Pair([a, b]) => format!("[{a}, {b}]"),
    }
}

fn anchor(name: &str) -> String {
    format!("[{name}](#{})", name.replace(' ', "-"))
}

fn holds(key: &Key) -> String {
    match key.kind {
        Kind::Table(t) => format!("table: {}", anchor(t.name)),
        Kind::Tables(t) => format!("list of tables: {}", anchor(t.name)),
        Kind::Union(u) => format!("table with a type: {}", anchor(u.name)),
        Kind::Unions(u) => format!("list of tables with a type: {}", anchor(u.name)),
        Kind::Source(t) | Kind::Named(t) | Kind::Seeds(t) => {
            format!("{}: {}", key.wants(), anchor(t.name))
        }
        Kind::Parameters => String::from("tables of [parameters](#organism-parameters)"),
        _ => key.wants(),
    }
}

/// Tables and unions in the order in which they are first mentioned.
#[derive(Default)]
struct Walk {
    seen: Vec<&'static str>,
    text: String,
}

impl Walk {
    fn keys(&mut self, keys: &[Key]) {
        if keys.is_empty() {
            self.text.push_str("No further keys.\n\n");
            return;
        }
        self.text.push_str("| key | holds | default | what it does |\n|---|---|---|---|\n");
        for key in keys {
            let _ = writeln!(
                self.text,
                "| `{}` | {} | {} | {} |",
                key.name,
                cell(&holds(key)),
                absent(key),
                cell(key.about)
            );
        }
        self.text.push('\n');
    }

    fn inside(&mut self, keys: &'static [Key]) {
        for key in keys {
            match key.kind {
                Kind::Table(t)
                | Kind::Tables(t)
                | Kind::Source(t)
                | Kind::Named(t)
                | Kind::Seeds(t) => self.table(t),
                Kind::Union(u) | Kind::Unions(u) => self.union(u),
                _ => {}
            }
        }
    }

    fn table(&mut self, table: &'static Table) {
        if self.seen.contains(&table.name) {
            return;
        }
        self.seen.push(table.name);
        let _ = writeln!(self.text, "## {}\n\n{}\n", table.name, table.about);
        self.keys(table.keys);
        self.inside(table.keys);
    }

    fn union(&mut self, union: &'static Union) {
        if self.seen.contains(&union.name) {
            return;
        }
        self.seen.push(union.name);
        let names: Vec<String> = union.types.iter().map(|t| format!("`{}`", t.name)).collect();
        let _ = writeln!(
            self.text,
            "## {}\n\n{} The key `{TYPE}` is one of {}.\n",
            union.name,
            union.about,
            names.join(", ")
        );
        for table in union.types {
            let _ = writeln!(self.text, "### {} `{}`\n\n{}\n", union.name, table.name, table.about);
            self.keys(table.keys);
        }
        for table in union.types {
            self.inside(table.keys);
        }
    }
}

fn parameters(text: &mut String, name: &str, about: &str, table: &[Parameter]) {
    let _ = writeln!(text, "### `{name}`\n\n{about}\n");
    text.push_str("| name | unit | bounds | default | what it does | source |\n");
    text.push_str("|---|---|---|---|---|---|\n");
    for p in table {
        let _ = writeln!(
            text,
            "| `{}` | {} | {}..{} | {} | {} | {} |",
            p.name,
            p.unit,
            p.min,
            p.max,
            p.default,
            cell(p.about),
            cell(p.source)
        );
    }
    text.push('\n');
}

/// Every key of every document and every parameter of an organism: what it holds, bounds, unit,
/// default, and for parameters the source. Markdown, equal bytes every time.
pub fn reference_markdown() -> String {
    let mut walk = Walk::default();
    walk.text.push_str(
        "# Documents, tables and keys\n\n\
         Written by `cargo xtask docs` from the declarations in `crates/scenario`. \
         A document is TOML with a `kind`: \"scenario\", \"experiment\", \"world\", \"body\" or \
         \"machine\". \
         Keys are strict. Paths start from the folder of the document.\n\n",
    );
    walk.table(&EXPERIMENT);
    walk.table(&SCENARIO);
    walk.table(&MACHINE);
    let mut text = walk.text;
    text.push_str("## organism parameters\n\nWritten as `parameters.GROUP.NAME = number`.\n\n");
    for (name, about, table) in GROUPS {
        parameters(&mut text, name, about, table);
    }
    text.push_str("## safety parameters\n\nWritten in the table [safety](#safety).\n\n");
    let about = "Limits that hold whatever the mind wants.";
    parameters(&mut text, "safety", about, SafetyParameters::TABLE);
    text.push_str("## built-in names\n\n| kind | name | what it is |\n|---|---|---|\n");
    for listing in built_in::list() {
        let _ = writeln!(text, "| {} | `{}` | {} |", listing.kind, listing.name, listing.about);
    }
    text
}
