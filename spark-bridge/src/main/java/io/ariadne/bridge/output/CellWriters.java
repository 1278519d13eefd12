package io.ariadne.bridge.output;

import io.ariadne.bridge.vector.AriadneColumnVector;
import org.apache.spark.sql.types.AtomicType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/** The implementations of {@link CellWriter}, one per layout of {@code UnsafeRow}'s slots. */
final class CellWriters {
  private static final long BYTE_MASK = 0xFFL;
  private static final long SHORT_MASK = 0xFFFFL;
  private static final long INT_MASK = 0xFFFF_FFFFL;

  private CellWriters() {}

  /** Reads a value as the bits of its slot. */
  private interface SlotReader {
    long bits(AriadneColumnVector column, int row);
  }

  /** Returns whether there is a writer for a type. */
  static boolean supports(DataType type) {
    return type instanceof AtomicType
        && (type instanceof StringType
            || type instanceof BinaryType
            || type instanceof DecimalType
            || slot(type) != null);
  }

  /**
   * Creates a writer.
   *
   * @param type a supported type
   * @param ordinal the column's position
   * @param slot offset of the column's slot in a row
   */
  static CellWriter create(DataType type, int ordinal, int slot) {
    if (type instanceof StringType || type instanceof BinaryType) {
      return new BytesWriter(ordinal, slot);
    }
    if (type instanceof DecimalType decimal && decimal.precision() > Decimal.MAX_LONG_DIGITS()) {
      return new WideDecimalWriter(decimal, ordinal, slot);
    }
    return new SlotWriter(slot(type), ordinal, slot);
  }

  private static SlotReader slot(DataType type) {
    if (type instanceof IntegerType
        || type instanceof DateType
        || type instanceof YearMonthIntervalType) {
      return (column, row) -> column.getInt(row) & INT_MASK;
    }
    if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType
        || type instanceof DayTimeIntervalType) {
      return AriadneColumnVector::getLong;
    }
    if (type instanceof DecimalType) {
      return AriadneColumnVector::getUnscaled;
    }
    if (type instanceof DoubleType) {
      return (column, row) -> Double.doubleToRawLongBits(column.getDouble(row));
    }
    if (type instanceof FloatType) {
      return (column, row) -> Float.floatToRawIntBits(column.getFloat(row)) & INT_MASK;
    }
    if (type instanceof BooleanType) {
      return (column, row) -> column.getBoolean(row) ? 1 : 0;
    }
    if (type instanceof ShortType) {
      return (column, row) -> column.getShort(row) & SHORT_MASK;
    }
    return type instanceof ByteType ? (column, row) -> column.getByte(row) & BYTE_MASK : null;
  }

  /** Values of at most eight bytes. */
  private record SlotWriter(SlotReader reader, int ordinal, int slot) implements CellWriter {
    @Override
    public void write(AriadneColumnVector column, int start, RowBuffer rows) {
      boolean hasNull = column.hasNull();
      for (int i = 0; i < rows.count(); i++) {
        if (hasNull && column.isNullAt(start + i)) {
          rows.putNull(i, ordinal);
        } else {
          rows.put(i, slot, reader.bits(column, start + i));
        }
      }
    }
  }

  /** Strings and binary values. */
  private record BytesWriter(int ordinal, int slot) implements CellWriter {
    @Override
    public void reserve(AriadneColumnVector column, int start, RowBuffer rows) {
      for (int i = 0; i < rows.count(); i++) {
        if (!column.isNullAt(start + i)) {
          rows.reserve(i, column.byteCount(start + i));
        }
      }
    }

    @Override
    public void write(AriadneColumnVector column, int start, RowBuffer rows) {
      for (int i = 0; i < rows.count(); i++) {
        if (column.isNullAt(start + i)) {
          rows.putNull(i, ordinal);
        } else {
          int size = column.byteCount(start + i);
          column.copyBytes(start + i, rows.bytes(), rows.putReference(i, slot, size, size));
        }
      }
    }
  }

  /**
   * Decimals of more than 18 digits. Space for the largest value is always reserved, also for
   * nulls.
   */
  private record WideDecimalWriter(DecimalType type, int ordinal, int slot) implements CellWriter {
    private static final int ROOM = 16;

    @Override
    public void reserve(AriadneColumnVector column, int start, RowBuffer rows) {
      for (int i = 0; i < rows.count(); i++) {
        rows.reserve(i, ROOM);
      }
    }

    @Override
    public void write(AriadneColumnVector column, int start, RowBuffer rows) {
      for (int i = 0; i < rows.count(); i++) {
        if (column.isNullAt(start + i)) {
          rows.putNull(i, ordinal);
          rows.putReference(i, slot, 0, ROOM);
        } else {
          Decimal value = column.getDecimal(start + i, type.precision(), type.scale());
          byte[] digits = value.toJavaBigDecimal().unscaledValue().toByteArray();
          int place = rows.putReference(i, slot, digits.length, ROOM);
          System.arraycopy(digits, 0, rows.bytes(), place, digits.length);
        }
      }
    }
  }
}
