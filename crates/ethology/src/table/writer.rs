//! Tables of any length, written row by row in bounded memory.

use core::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parquet::file::writer::SerializedFileWriter;

use super::atomic::{AtomicFile, FileError};
use super::schema::{Cell, Column, TableError};
use super::values::Table;
use super::{csv, parquet as columnar};

/// File format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated text.
    Csv,
    /// Apache Parquet.
    Parquet,
}

/// Why a table could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The columns or a row do not fit.
    Table {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        source: TableError,
    },
    /// The file could not be written.
    File(FileError),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table { path, source } => write!(f, "table `{}`: {source}", path.display()),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Table { source, .. } => Some(source),
            Self::File(error) => Some(error),
        }
    }
}

enum Sink {
    Csv(AtomicFile),
    Parquet(Box<SerializedFileWriter<AtomicFile>>),
}

/// Writes a table row by row; at most `rows_per_group` rows are held in memory.
///
/// The file appears under its name only when [`TableWriter::finish`] succeeds.
pub struct TableWriter {
    path: PathBuf,
    buffer: Table,
    rows_per_group: usize,
    rows: u64,
    sink: Sink,
}

impl fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableWriter")
            .field("path", &self.path)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

fn broken(path: &Path, error: impl Into<Box<dyn core::error::Error + Send + Sync>>) -> WriteError {
    WriteError::File(FileError { path: path.into(), source: io::Error::other(error) })
}

impl TableWriter {
    /// Starts a file; `rows_per_group` (at least 1) is the size of a Parquet row group.
    ///
    /// # Errors
    /// [`WriteError::Table`] for columns that cannot be told apart, [`WriteError::File`] when the
    /// folder refuses the file.
    pub fn create(
        path: &Path,
        columns: Vec<Column>,
        format: Format,
        rows_per_group: usize,
    ) -> Result<Self, WriteError> {
        let refused = |source| WriteError::Table { path: path.into(), source };
        let buffer = Table::new(columns).map_err(refused)?;
        let mut file = AtomicFile::create(path).map_err(WriteError::File)?;
        let sink = match format {
            Format::Csv => {
                let mut text = String::new();
                csv::push_header(&mut text, buffer.columns());
                file.write_all(text.as_bytes())
                    .map_err(|error| WriteError::File(file.error(error)))?;
                Sink::Csv(file)
            }
            Format::Parquet => {
                let writer = columnar::open(file, buffer.columns());
                Sink::Parquet(Box::new(writer.map_err(|error| broken(path, error))?))
            }
        };
        Ok(Self { path: path.into(), buffer, rows_per_group: rows_per_group.max(1), rows: 0, sink })
    }

    /// Appends a row.
    ///
    /// # Errors
    /// [`WriteError::Table`] when the row does not fit, [`WriteError::File`] when the disk refuses.
    pub fn push(&mut self, row: &[Cell<'_>]) -> Result<(), WriteError> {
        let path = &self.path;
        let refused = |source| WriteError::Table { path: path.clone(), source };
        self.buffer.push(row).map_err(refused)?;
        self.rows += 1;
        if self.buffer.rows() >= self.rows_per_group {
            self.write_out()?;
        }
        Ok(())
    }

    /// Rows accepted so far.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    fn write_out(&mut self) -> Result<(), WriteError> {
        match &mut self.sink {
            Sink::Csv(file) => {
                let mut text = String::new();
                csv::push_rows(&mut text, &self.buffer);
                file.write_all(text.as_bytes())
                    .map_err(|error| WriteError::File(file.error(error)))?;
            }
            Sink::Parquet(writer) => columnar::write_group(writer, &self.buffer)
                .map_err(|error| broken(&self.path, error))?,
        }
        self.buffer.clear();
        Ok(())
    }

    /// Writes what is left, gives the file its name and returns the number of rows.
    ///
    /// # Errors
    /// [`WriteError::File`] when the disk refuses; no file then appears.
    pub fn finish(mut self) -> Result<u64, WriteError> {
        self.write_out()?;
        let file = match self.sink {
            Sink::Csv(file) => file,
            Sink::Parquet(writer) => {
                writer.into_inner().map_err(|error| broken(&self.path, error))?
            }
        };
        file.commit().map_err(WriteError::File)?;
        Ok(self.rows)
    }
}

impl Table {
    /// Writes the whole table as one file.
    ///
    /// # Errors
    /// [`WriteError::File`] naming the path.
    pub fn write(&self, path: &Path, format: Format) -> Result<(), WriteError> {
        let columns = self.columns().to_vec();
        let mut writer = TableWriter::create(path, columns, format, self.rows().max(1))?;
        writer.buffer = self.clone();
        writer.finish().map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use parquet::basic::Compression;
    use parquet::file::metadata::RowGroupMetaData;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::super::schema::Kind;
    use super::*;

    fn columns() -> Vec<Column> {
        let kinds = [Kind::U64, Kind::I64, Kind::F64, Kind::Bool, Kind::Text];
        let names = ["seed", "delta", "x_m", "docked", "note"];
        names.iter().zip(kinds).map(|(name, kind)| Column::new(name, kind)).collect()
    }

    fn row(n: u64) -> [Cell<'static>; 5] {
        let x = if n.is_multiple_of(3) { None } else { Some(n as f64 / 7.0) };
        let signed = -i64::try_from(n).unwrap();
        [
            (u64::MAX - n).into(),
            signed.into(),
            x.into(),
            n.is_multiple_of(2).into(),
            format!("é{n}").into(),
        ]
    }

    #[test]
    fn unit_parquet_comes_back_through_the_reader_in_bounded_groups() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        let mut writer = TableWriter::create(&path, columns(), Format::Parquet, 100).unwrap();
        for n in 0..250 {
            writer.push(&row(n)).unwrap();
            assert!(writer.buffer.rows() < 100, "rows are written out as groups fill");
        }
        assert!(!path.exists(), "nothing has the name before the end");
        assert_eq!(writer.finish().unwrap(), 250);
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let metadata = reader.metadata();
        let sizes: Vec<i64> =
            metadata.row_groups().iter().map(RowGroupMetaData::num_rows).collect();
        assert_eq!(sizes, [100, 100, 50]);
        let chunk = metadata.row_group(0).column(0);
        assert_eq!(chunk.compression(), Compression::SNAPPY);
        for (n, found) in (0..).zip(reader.get_row_iter(None).unwrap()) {
            let found = found.unwrap();
            let cells: Vec<&Field> = found.get_column_iter().map(|column| column.1).collect();
            assert_eq!(*cells[0], Field::ULong(u64::MAX - n));
            assert_eq!(*cells[1], Field::Long(-i64::try_from(n).unwrap()));
            let x = if n.is_multiple_of(3) { Field::Null } else { Field::Double(n as f64 / 7.0) };
            assert_eq!(*cells[2], x);
            assert_eq!(*cells[3], Field::Bool(n.is_multiple_of(2)));
            assert_eq!(*cells[4], Field::Str(format!("é{n}")));
        }
    }

    #[test]
    fn unit_streamed_csv_equals_the_table_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let (streamed, whole) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
        let mut table = Table::new(columns()).unwrap();
        let mut writer = TableWriter::create(&streamed, columns(), Format::Csv, 7).unwrap();
        for n in 0..50 {
            table.push(&row(n)).unwrap();
            writer.push(&row(n)).unwrap();
        }
        writer.finish().unwrap();
        table.write(&whole, Format::Csv).unwrap();
        let text = fs::read_to_string(&streamed).unwrap();
        assert_eq!(text, table.to_csv());
        assert_eq!(text, fs::read_to_string(&whole).unwrap());
    }

    #[test]
    fn determinism_same_rows_give_the_same_parquet_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            let mut table = Table::new(columns()).unwrap();
            (0..40).for_each(|n| table.push(&row(n)).unwrap());
            table.write(&path, Format::Parquet).unwrap();
            fs::read(path).unwrap()
        };
        assert_eq!(write("a.parquet"), write("b.parquet"));
    }

    #[test]
    fn unit_errors_name_the_file_and_leave_none_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        let mut writer = TableWriter::create(&path, columns(), Format::Parquet, 10).unwrap();
        let error = writer.push(&[1_u64.into()]).unwrap_err();
        assert!(error.to_string().contains("t.parquet"), "{error}");
        drop(writer);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let missing = folder.path().join("no").join("t.csv");
        let error = TableWriter::create(&missing, columns(), Format::Csv, 10).unwrap_err();
        assert!(error.to_string().contains("t.csv"), "{error}");
        assert!(TableWriter::create(&path, vec![], Format::Csv, 1).is_err());
    }

    #[test]
    fn unit_an_empty_table_is_a_readable_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        Table::new(columns()).unwrap().write(&path, Format::Parquet).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    }
}
