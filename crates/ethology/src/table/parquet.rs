//! Parquet files through the low-level column writer.
//!
//! Format: snappy, one row group per buffer, u64 as INT64 with the unsigned annotation, text as
//! UTF-8 byte arrays, f64 columns optional and all others required.

use alloc::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::atomic::AtomicFile;
use super::schema::{Column, Kind};
use super::values::{Table, Values};

fn field(column: &Column) -> Result<TypePtr> {
    let (physical, logical) = match column.kind {
        Kind::U64 => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Kind::I64 => (Physical::INT64, None),
        Kind::F64 => (Physical::DOUBLE, None),
        Kind::Bool => (Physical::BOOLEAN, None),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let nullable = column.kind == Kind::F64;
    let repetition = if nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let builder = Type::primitive_type_builder(&column.name, physical);
    Ok(Arc::new(builder.with_repetition(repetition).with_logical_type(logical).build()?))
}

pub(super) fn open(
    file: AtomicFile,
    columns: &[Column],
) -> Result<SerializedFileWriter<AtomicFile>> {
    let fields = columns.iter().map(field).collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build()?);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by("tropism".into())
        .build();
    SerializedFileWriter::new(file, schema, Arc::new(properties))
}

/// Writes a buffer as one row group; an empty buffer writes nothing.
pub(super) fn write_group(
    writer: &mut SerializedFileWriter<AtomicFile>,
    table: &Table,
) -> Result<()> {
    if table.rows() == 0 {
        return Ok(());
    }
    let mut group = writer.next_row_group()?;
    for values in table.values() {
        match values {
            // Unsigned numbers keep their bits; the annotation tells readers how to take them.
            Values::U64(v) => {
                let bits: Vec<i64> = v.iter().map(|x| x.cast_signed()).collect();
                write_column::<Int64Type>(&mut group, &bits, None)?;
            }
            Values::I64(v) => write_column::<Int64Type>(&mut group, v, None)?,
            Values::F64(v) => {
                let present: Vec<f64> = v.iter().flatten().copied().collect();
                let levels: Vec<i16> = v.iter().map(|x| i16::from(x.is_some())).collect();
                write_column::<DoubleType>(&mut group, &present, Some(&levels))?;
            }
            Values::Bool(v) => write_column::<BoolType>(&mut group, v, None)?,
            Values::Text(v) => {
                let texts: Vec<ByteArray> = v.iter().map(|x| x.as_str().into()).collect();
                write_column::<ByteArrayType>(&mut group, &texts, None)?;
            }
        }
    }
    group.close()?;
    Ok(())
}

#[allow(clippy::large_stack_frames, reason = "the column writer of the library is that large")]
fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, AtomicFile>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<()> {
    let missing = || ParquetError::General("the row group has too few columns".into());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}
