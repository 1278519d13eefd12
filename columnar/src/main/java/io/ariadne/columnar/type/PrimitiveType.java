package io.ariadne.columnar.type;

/** Logical types without parameters. */
public enum PrimitiveType implements DataType {
  /** Only nulls. */
  NULL(PhysicalType.NONE),
  /** True or false. */
  BOOLEAN(PhysicalType.BOOL),
  /** Signed 8-bit integer. */
  INT8(PhysicalType.I8),
  /** Signed 16-bit integer. */
  INT16(PhysicalType.I16),
  /** Signed 32-bit integer. */
  INT32(PhysicalType.I32),
  /** Signed 64-bit integer. */
  INT64(PhysicalType.I64),
  /** IEEE 754 single precision. */
  FLOAT32(PhysicalType.F32),
  /** IEEE 754 double precision. */
  FLOAT64(PhysicalType.F64),
  /** Days since 1970-01-01, proleptic Gregorian. */
  DATE32(PhysicalType.I32),
  /** Microseconds since 1970-01-01 00:00 UTC: an instant (Spark's TIMESTAMP_LTZ). */
  TIMESTAMP_MICROS(PhysicalType.I64),
  /** Microseconds since 1970-01-01 00:00 of a local clock (Spark's TIMESTAMP_NTZ). */
  TIMESTAMP_NTZ_MICROS(PhysicalType.I64),
  /** Months (Spark's year-month interval). */
  INTERVAL_YEAR_MONTH(PhysicalType.I32),
  /** Microseconds (Spark's day-time interval). */
  INTERVAL_DAY_TIME(PhysicalType.I64),
  /** UTF-8 text, compared by unsigned bytes. */
  STRING(PhysicalType.VIEW16),
  /** Bytes, compared as unsigned. */
  BINARY(PhysicalType.VIEW16);

  private final PhysicalType defaultPhysicalType;

  PrimitiveType(PhysicalType defaultPhysicalType) {
    this.defaultPhysicalType = defaultPhysicalType;
  }

  @Override
  public PhysicalType defaultPhysicalType() {
    return defaultPhysicalType;
  }
}
