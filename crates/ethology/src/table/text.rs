//! Tables for a terminal.

use core::fmt::Write;

use super::schema::{Cell, Kind};
use super::values::{Table, Values};

/// What stands for a null.
const NULL: &str = "–";

/// Decimals that show about four significant digits of the largest value.
enum Decimals {
    Fixed(usize),
    Scientific,
}

fn decimals(values: &[Option<f64>]) -> Decimals {
    let finite = || values.iter().flatten().filter(|x| x.is_finite());
    let largest = finite().fold(0.0_f64, |most, x| most.max(x.abs()));
    if finite().all(|x| x.fract().abs() <= 0.0) && largest < 1e15 {
        Decimals::Fixed(0)
    } else if !(1e-3..1e9).contains(&largest) {
        Decimals::Scientific
    } else {
        let bounds = [1000.0, 100.0, 10.0, 1.0];
        Decimals::Fixed(bounds.iter().position(|bound| largest >= *bound).unwrap_or(4))
    }
}

fn show(cell: &Cell<'_>, decimals: &Decimals) -> String {
    match (cell, decimals) {
        (Cell::U64(x), _) => x.to_string(),
        (Cell::I64(x), _) => x.to_string(),
        (Cell::F64(None), _) => NULL.to_owned(),
        (Cell::F64(Some(x)), Decimals::Fixed(places)) => format!("{x:.places$}"),
        (Cell::F64(Some(x)), Decimals::Scientific) => format!("{x:.3e}"),
        (Cell::Bool(x), _) => if *x { "yes" } else { "no" }.to_owned(),
        // A line break or a tab would break the alignment.
        (Cell::Text(x), _) => x.split(char::is_control).collect::<Vec<_>>().join(" "),
    }
}

pub(super) fn display_rows(table: &Table) -> Vec<Vec<String>> {
    let formats: Vec<Decimals> = table
        .values()
        .iter()
        .map(|values| match values {
            Values::F64(x) => decimals(x),
            _ => Decimals::Fixed(0),
        })
        .collect();
    let row = |row| -> Vec<String> {
        let cells = (0..formats.len()).filter_map(|column| table.cell(row, column));
        cells.zip(&formats).map(|(cell, format)| show(&cell, format)).collect()
    };
    (0..table.rows()).map(row).collect()
}

pub(super) fn aligned(table: &Table) -> String {
    let rows = display_rows(table);
    let columns = table.columns();
    let width = |place: usize| {
        let cells = rows.iter().map(|row| row[place].chars().count()).max().unwrap_or(0);
        cells.max(columns[place].name.chars().count())
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let mut text = String::new();
    let mut line = |cells: Vec<&str>| {
        let mut out = String::new();
        for ((cell, width), column) in cells.iter().zip(&widths).zip(columns) {
            // Writing to a string cannot fail.
            if !out.is_empty() {
                out.push_str("  ");
            }
            if column.kind == Kind::Text {
                let _ = write!(out, "{cell:<width$}");
            } else {
                let _ = write!(out, "{cell:>width$}");
            }
        }
        text.push_str(out.trim_end());
        text.push('\n');
    };
    line(columns.iter().map(|column| column.name.as_str()).collect());
    let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
    line(rules.iter().map(String::as_str).collect());
    for row in &rows {
        line(row.iter().map(String::as_str).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::schema::Column;
    use super::*;

    #[test]
    fn golden_aligned_text() {
        let mut table = Table::new(vec![
            Column::new("condition", Kind::Text),
            Column::new("n", Kind::U64),
            Column::new("mean_h", Kind::F64),
            Column::new("se_h", Kind::F64),
            Column::new("tiny", Kind::F64),
            Column::new("docked", Kind::Bool),
        ])
        .unwrap();
        let (full, none) = ("full", "no learning");
        let rows: [[Cell<'_>; 6]; 2] = [
            [full.into(), 192_u64.into(), 13.93.into(), 0.247.into(), 1e-7.into(), true.into()],
            [none.into(), 8_u64.into(), 1.5.into(), None.into(), f64::NAN.into(), false.into()],
        ];
        for row in &rows {
            table.push(row).unwrap();
        }
        expect_test::expect![[r"
            condition      n  mean_h    se_h      tiny  docked
            ───────────  ───  ──────  ──────  ────────  ──────
            full         192   13.93  0.2470  1.000e-7     yes
            no learning    8    1.50       –       NaN      no
        "]]
        .assert_eq(&table.to_text());
    }
}
