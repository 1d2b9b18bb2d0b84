//! Reading recorded tables for golden tests.

use std::path::Path;
use std::process::Command;

/// A table of numbers with named columns.
#[derive(Debug, Clone)]
pub struct Table {
    /// Column names.
    pub columns: Vec<String>,
    /// Cells as text, row by row.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a comma-separated file with a header row; `.xz` is unpacked by the `xz` program.
    ///
    /// # Panics
    /// When the file cannot be read: a golden file that is present must be readable.
    pub fn read(path: &Path) -> Self {
        let text = if path.extension().is_some_and(|e| e == "xz") {
            let output = Command::new("xz").arg("-dc").arg(path).output();
            let output = output.expect("the program `xz` (package xz-utils) is needed");
            assert!(output.status.success(), "xz could not unpack {}", path.display());
            String::from_utf8(output.stdout).expect("a text file")
        } else {
            std::fs::read_to_string(path).expect("a readable file")
        };
        let mut lines = text.lines();
        let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let columns = split(lines.next().expect("a header row"));
        Self { columns, rows: lines.map(split).collect() }
    }

    /// Index of a column.
    ///
    /// # Panics
    /// When there is none of this name.
    pub fn column(&self, name: &str) -> usize {
        let found = self.columns.iter().position(|c| c == name);
        found.unwrap_or_else(|| panic!("no column `{name}` among {:?}", self.columns))
    }

    /// A cell as a number.
    ///
    /// # Panics
    /// When the cell holds no number.
    pub fn number(&self, row: usize, column: &str) -> f64 {
        let cell = &self.rows[row][self.column(column)];
        cell.parse().unwrap_or_else(|_| panic!("row {row}, {column}: `{cell}` is no number"))
    }
}
