//! A table in memory.

use alloc::borrow::Cow;

use super::schema::{Cell, Column, Kind, TableError, check_columns, check_row};

/// Values of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole numbers from 0.
    U64(Vec<u64>),
    /// Whole numbers.
    I64(Vec<i64>),
    /// Numbers or nulls.
    F64(Vec<Option<f64>>),
    /// Yes or no.
    Bool(Vec<bool>),
    /// Texts.
    Text(Vec<String>),
}

impl Values {
    const fn empty(kind: Kind) -> Self {
        match kind {
            Kind::U64 => Self::U64(Vec::new()),
            Kind::I64 => Self::I64(Vec::new()),
            Kind::F64 => Self::F64(Vec::new()),
            Kind::Bool => Self::Bool(Vec::new()),
            Kind::Text => Self::Text(Vec::new()),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::U64(v) => v.clear(),
            Self::I64(v) => v.clear(),
            Self::F64(v) => v.clear(),
            Self::Bool(v) => v.clear(),
            Self::Text(v) => v.clear(),
        }
    }

    /// Appends a cell whose type has been checked.
    fn push(&mut self, cell: &Cell<'_>) {
        match (self, cell) {
            (Self::U64(v), Cell::U64(x)) => v.push(*x),
            (Self::I64(v), Cell::I64(x)) => v.push(*x),
            (Self::F64(v), Cell::F64(x)) => v.push(*x),
            (Self::Bool(v), Cell::Bool(x)) => v.push(*x),
            (Self::Text(v), Cell::Text(x)) => v.push(x.as_ref().to_owned()),
            _ => unreachable!("rows are checked before they are stored"),
        }
    }

    /// The value in this row.
    fn at(&self, row: usize) -> Option<Cell<'_>> {
        Some(match self {
            Self::U64(v) => Cell::U64(*v.get(row)?),
            Self::I64(v) => Cell::I64(*v.get(row)?),
            Self::F64(v) => Cell::F64(*v.get(row)?),
            Self::Bool(v) => Cell::Bool(*v.get(row)?),
            Self::Text(v) => Cell::Text(Cow::Borrowed(v.get(row)?)),
        })
    }
}

/// Columns of equal length.
///
/// # Example
/// ```
/// use tropism_ethology::table::{Column, Kind, Table};
/// let columns = vec![Column::new("seed", Kind::U64), Column::new("lifespan_s", Kind::F64)];
/// let mut table = Table::new(columns)?;
/// table.push(&[1_u64.into(), 12.5.into()])?;
/// assert_eq!(table.to_csv(), "seed,lifespan_s\n1,12.5\n");
/// # Ok::<(), tropism_ethology::table::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    values: Vec<Values>,
    rows: usize,
}

impl Table {
    /// A table without rows.
    ///
    /// # Errors
    /// [`TableError`] without columns or when two share a name.
    pub fn new(columns: Vec<Column>) -> Result<Self, TableError> {
        check_columns(&columns)?;
        let values = columns.iter().map(|column| Values::empty(column.kind)).collect();
        Ok(Self { columns, values, rows: 0 })
    }

    /// Appends a row.
    ///
    /// # Errors
    /// [`TableError`] when the number or the types of the cells do not fit; nothing is appended.
    pub fn push(&mut self, row: &[Cell<'_>]) -> Result<(), TableError> {
        check_row(&self.columns, row)?;
        self.values.iter_mut().zip(row).for_each(|(values, cell)| values.push(cell));
        self.rows += 1;
        Ok(())
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.values.iter_mut().for_each(Values::clear);
        self.rows = 0;
    }

    /// Number of rows.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Names and types.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Values by column.
    pub fn values(&self) -> &[Values] {
        &self.values
    }

    /// One value; `None` outside the table.
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell<'_>> {
        self.values.get(column)?.at(row)
    }

    /// Comma-separated text with a header row.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        super::csv::push_header(&mut text, &self.columns);
        super::csv::push_rows(&mut text, self);
        text
    }

    /// Aligned text for a terminal: numbers right, text left, nulls as a dash.
    pub fn to_text(&self) -> String {
        super::text::aligned(self)
    }

    /// Cells as shown to people, row by row, with the same rounding as [`Table::to_text`].
    pub fn display_rows(&self) -> Vec<Vec<String>> {
        super::text::display_rows(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_rows_that_do_not_fit_are_refused_and_change_nothing() {
        let columns = vec![Column::new("a", Kind::U64), Column::new("b", Kind::Text)];
        let mut table = Table::new(columns).unwrap();
        let short = table.push(&[1_u64.into()]).unwrap_err();
        assert_eq!(short.to_string(), "a row has 1 cells, the table 2 columns");
        let wrong = table.push(&[1_u64.into(), 2.0.into()]).unwrap_err();
        assert_eq!(wrong.to_string(), "column `b` holds text, not f64");
        assert_eq!(table.rows(), 0);
        table.push(&[1_u64.into(), "x".into()]).unwrap();
        assert_eq!((table.cell(0, 1), table.cell(1, 0)), (Some("x".into()), None));
    }

    #[test]
    fn unit_columns_must_be_told_apart() {
        assert_eq!(Table::new(vec![]).unwrap_err(), TableError::NoColumns);
        let twice = vec![Column::new("a", Kind::U64), Column::new("a", Kind::I64)];
        assert_eq!(Table::new(twice).unwrap_err(), TableError::Duplicate { column: "a".into() });
    }
}
