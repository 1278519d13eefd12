package io.ariadne.bridge.imports;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import org.apache.spark.sql.execution.vectorized.Dictionary;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;

/** Reads one number of a type as its stored bits: sign-extended integers, raw IEEE 754 bits. */
abstract class NumberReader {
  /** Returns the bits of a row that is not null. */
  abstract long read(ColumnVector source, int row);

  /** Returns the bits of a dictionary entry. */
  abstract long decode(Dictionary dictionary, int id);

  /** Returns the reader of a type of at most 8 bytes. */
  static NumberReader of(DataType type) {
    if (type instanceof DecimalType decimal) {
      return new DecimalReader(decimal);
    }
    return of(type.defaultPhysicalType());
  }

  private static NumberReader of(PhysicalType layout) {
    return switch (layout) {
      case I8 -> new ByteReader();
      case I16 -> new ShortReader();
      case I32 -> new IntReader();
      case I64 -> new LongReader();
      case F32 -> new FloatReader();
      case F64 -> new DoubleReader();
      default -> throw new IllegalArgumentException(layout + " is no number of 8 bytes");
    };
  }

  private static final class ByteReader extends NumberReader {
    @Override
    long read(ColumnVector source, int row) {
      return source.getByte(row);
    }

    @Override
    long decode(Dictionary dictionary, int id) {
      return dictionary.decodeToInt(id);
    }
  }

  private static final class ShortReader extends NumberReader {
    @Override
    long read(ColumnVector source, int row) {
      return source.getShort(row);
    }

    @Override
    long decode(Dictionary dictionary, int id) {
      return dictionary.decodeToInt(id);
    }
  }

  private static final class IntReader extends NumberReader {
    @Override
    long read(ColumnVector source, int row) {
      return source.getInt(row);
    }

    @Override
    long decode(Dictionary dictionary, int id) {
      return dictionary.decodeToInt(id);
    }
  }

  private static final class LongReader extends NumberReader {
    @Override
    long read(ColumnVector source, int row) {
      return source.getLong(row);
    }

    @Override
    long decode(Dictionary dictionary, int id) {
      return dictionary.decodeToLong(id);
    }
  }

  private static final class FloatReader extends NumberReader {
    @Override
    long read(ColumnVector source, int row) {
      return Float.floatToRawIntBits(source.getFloat(row));
    }

    @Override
    long decode(Dictionary dictionary, int id) {
      return Float.floatToRawIntBits(dictionary.decodeToFloat(id));
    }
  }

  private static final class DoubleReader extends NumberReader {
    @Override
    long read(ColumnVector source, int row) {
      return Double.doubleToRawLongBits(source.getDouble(row));
    }

    @Override
    long decode(Dictionary dictionary, int id) {
      return Double.doubleToRawLongBits(dictionary.decodeToDouble(id));
    }
  }

  private static final class DecimalReader extends NumberReader {
    private final DecimalType type;

    DecimalReader(DecimalType type) {
      this.type = type;
    }

    @Override
    long read(ColumnVector source, int row) {
      return source.getDecimal(row, type.precision(), type.scale()).toUnscaledLong();
    }

    @Override
    long decode(Dictionary dictionary, int id) {
      return type.precision() <= Decimal.MAX_INT_DIGITS()
          ? dictionary.decodeToInt(id)
          : dictionary.decodeToLong(id);
    }
  }
}
