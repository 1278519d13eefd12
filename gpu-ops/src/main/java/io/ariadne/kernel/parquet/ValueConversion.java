package io.ariadne.kernel.parquet;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.ParquetConversion;

/**
 * A conversion of stored fixed-width values to those of a column.
 *
 * <p>Rebased conversions follow a {@link CalendarRebase}; checked ones raise CONVERSION where the
 * result does not fit. Decimals are unscaled integers times a power of ten given by the launch;
 * digits beyond 32 or 64 bits are cut off, as by {@code BigInteger.intValue}. Source: Spark 4.1,
 * {@code ParquetVectorUpdaterFactory}.
 */
public enum ValueConversion {
  /** One byte as it is. */
  COPY_1(ParquetConversion.PARQUET_COPY_1, 1, PhysicalType.I8),
  /** Two bytes as they are. */
  COPY_2(ParquetConversion.PARQUET_COPY_2, 2, PhysicalType.I16),
  /** Four bytes as they are: INT32, FLOAT. */
  COPY_4(ParquetConversion.PARQUET_COPY_4, 4, PhysicalType.I32),
  /** Eight bytes as they are: INT64, DOUBLE. */
  COPY_8(ParquetConversion.PARQUET_COPY_8, 8, PhysicalType.I64),
  /** Sixteen bytes as they are. */
  COPY_16(ParquetConversion.PARQUET_COPY_16, 16, PhysicalType.I128),
  /** The low byte of an INT32. */
  INT32_TO_I8(ParquetConversion.PARQUET_I32_TO_I8, 4, PhysicalType.I8),
  /** The low two bytes of an INT32. */
  INT32_TO_I16(ParquetConversion.PARQUET_I32_TO_I16, 4, PhysicalType.I16),
  /** INT32 with its sign. */
  INT32_TO_I64(ParquetConversion.PARQUET_I32_TO_I64, 4, PhysicalType.I64),
  /** INT32 without sign. */
  UINT32_TO_I64(ParquetConversion.PARQUET_U32_TO_I64, 4, PhysicalType.I64),
  /** INT32 to a double, exact. */
  INT32_TO_F64(ParquetConversion.PARQUET_I32_TO_F64, 4, PhysicalType.F64),
  /** FLOAT to a double, exact; every NaN becomes Java's. */
  FLOAT_TO_F64(ParquetConversion.PARQUET_F32_TO_F64, 4, PhysicalType.F64),
  /** INT64 without sign, as decimal(20, 0). */
  UINT64_TO_I128(ParquetConversion.PARQUET_U64_TO_I128, 8, PhysicalType.I128),
  /** INT32 to a decimal. */
  INT32_TO_DECIMAL32(ParquetConversion.PARQUET_I32_TO_DECIMAL32, 4, PhysicalType.I32),
  /** INT32 to a decimal. */
  INT32_TO_DECIMAL64(ParquetConversion.PARQUET_I32_TO_DECIMAL64, 4, PhysicalType.I64),
  /** INT32 to a decimal. */
  INT32_TO_DECIMAL128(ParquetConversion.PARQUET_I32_TO_DECIMAL128, 4, PhysicalType.I128),
  /** INT64 to a decimal. */
  INT64_TO_DECIMAL32(ParquetConversion.PARQUET_I64_TO_DECIMAL32, 8, PhysicalType.I32),
  /** INT64 to a decimal. */
  INT64_TO_DECIMAL64(ParquetConversion.PARQUET_I64_TO_DECIMAL64, 8, PhysicalType.I64),
  /** INT64 to a decimal. */
  INT64_TO_DECIMAL128(ParquetConversion.PARQUET_I64_TO_DECIMAL128, 8, PhysicalType.I128),
  /** Big-endian two's complement of the window's width, 1 to 32 bytes, to a decimal. */
  BIG_ENDIAN_TO_DECIMAL32(ParquetConversion.PARQUET_BIG_ENDIAN_TO_DECIMAL32, 0, PhysicalType.I32),
  /** Big-endian two's complement of the window's width, 1 to 32 bytes, to a decimal. */
  BIG_ENDIAN_TO_DECIMAL64(ParquetConversion.PARQUET_BIG_ENDIAN_TO_DECIMAL64, 0, PhysicalType.I64),
  /** The same to 16 bytes; checked before it is scaled. */
  BIG_ENDIAN_TO_DECIMAL128(
      ParquetConversion.PARQUET_BIG_ENDIAN_TO_DECIMAL128, 0, PhysicalType.I128),
  /** Days; rebased. */
  DATE(ParquetConversion.PARQUET_DATE, 4, PhysicalType.I32),
  /** Days to midnight in microseconds, without time zone; checked, rebased. */
  DATE_TO_MICROS(ParquetConversion.PARQUET_DATE_TO_MICROS, 4, PhysicalType.I64),
  /** Microseconds; rebased. */
  MICROS(ParquetConversion.PARQUET_MICROS, 8, PhysicalType.I64),
  /** Milliseconds to microseconds; checked, rebased. */
  MILLIS_TO_MICROS(ParquetConversion.PARQUET_MILLIS_TO_MICROS, 8, PhysicalType.I64),
  /** Nanoseconds to microseconds, rounded down. */
  NANOS_TO_MICROS(ParquetConversion.PARQUET_NANOS_TO_MICROS, 8, PhysicalType.I64),
  /** Microseconds to nanoseconds; checked. */
  MICROS_TO_NANOS(ParquetConversion.PARQUET_MICROS_TO_NANOS, 8, PhysicalType.I64),
  /** INT96 (nanoseconds of the day, Julian day) to microseconds, wrapping; rebased. */
  INT96_TO_MICROS(ParquetConversion.PARQUET_INT96_TO_MICROS, 12, PhysicalType.I64);

  private final int code;
  private final int storedBytes;
  private final PhysicalType result;

  ValueConversion(int code, int storedBytes, PhysicalType result) {
    this.code = code;
    this.storedBytes = storedBytes;
    this.result = result;
  }

  /** Returns the kernel's number of the conversion, a constant of {@link ParquetConversion}. */
  public int code() {
    return code;
  }

  /** Returns the bytes of a stored value, 0 when the window's width says it. */
  public int storedBytes() {
    return storedBytes;
  }

  /**
   * Returns the layout of the results; for copies the integer of that width, whatever the values
   * are.
   */
  public PhysicalType result() {
    return result;
  }

  /** Returns the bytes of a result. */
  public int resultBytes() {
    return result.widthInBytes();
  }
}
