//! Comma-separated values.
//!
//! Format: a header row, `\n` line ends, fields with a comma, quote or line break in quotes
//! (RFC 4180), numbers with as many digits as bring back the same bits, null as an empty field.

use core::fmt::Write;

use super::schema::{Cell, Column};
use super::values::Table;

/// Appends a field, quoted where needed.
pub(crate) fn push_field(text: &mut String, field: &str) {
    let plain =
        !field.contains(['"', ',', '\n', '\r']) && !field.starts_with(' ') && !field.ends_with(' ');
    if plain {
        text.push_str(field);
    } else {
        text.push('"');
        text.push_str(&field.replace('"', "\"\""));
        text.push('"');
    }
}

pub(super) fn push_header(text: &mut String, columns: &[Column]) {
    for (place, column) in columns.iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        push_field(text, &column.name);
    }
    text.push('\n');
}

pub(super) fn push_rows(text: &mut String, table: &Table) {
    for row in 0..table.rows() {
        for column in 0..table.columns().len() {
            if column > 0 {
                text.push(',');
            }
            if let Some(cell) = table.cell(row, column) {
                push_cell(text, &cell);
            }
        }
        text.push('\n');
    }
}

fn push_cell(text: &mut String, cell: &Cell<'_>) {
    // Writing to a string cannot fail.
    let _ = match cell {
        Cell::U64(x) => write!(text, "{x}"),
        Cell::I64(x) => write!(text, "{x}"),
        Cell::F64(Some(x)) => write!(text, "{x:?}"),
        Cell::F64(None) => Ok(()),
        Cell::Bool(x) => write!(text, "{x}"),
        Cell::Text(x) => {
            push_field(text, x);
            Ok(())
        }
    };
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::schema::Kind;
    use super::*;

    #[test]
    fn golden_csv_of_every_kind() {
        let mut table = Table::new(vec![
            Column::new("seed", Kind::U64),
            Column::new("delta", Kind::I64),
            Column::new("x, m", Kind::F64),
            Column::new("docked", Kind::Bool),
            Column::new("note", Kind::Text),
        ])
        .unwrap();
        let max = u64::MAX;
        table
            .push(&[max.into(), (-5_i64).into(), 0.1.into(), true.into(), "a \"b\"".into()])
            .unwrap();
        table
            .push(&[0_u64.into(), 0_i64.into(), None.into(), false.into(), "c,\nd".into()])
            .unwrap();
        table
            .push(&[1_u64.into(), 1_i64.into(), f64::NAN.into(), false.into(), "".into()])
            .unwrap();
        expect_test::expect![[r#"
            seed,delta,"x, m",docked,note
            18446744073709551615,-5,0.1,true,"a ""b"""
            0,0,,false,"c,
            d"
            1,1,NaN,false,
        "#]]
        .assert_eq(&table.to_csv());
    }

    proptest! {
        #[test]
        fn prop_numbers_come_back_with_the_same_bits(x in any::<f64>()) {
            let mut text = String::new();
            push_cell(&mut text, &x.into());
            let back: f64 = text.parse().unwrap();
            prop_assert!(back.to_bits() == x.to_bits() || (back.is_nan() && x.is_nan()));
        }
    }
}
