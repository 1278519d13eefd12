package io.ariadne.parquet.metadata;

/** The physical type of a column, in the order of the format's numbers. */
public enum PhysicalKind {
  /** One bit. */
  BOOLEAN(0),
  /** Four bytes, little-endian. */
  INT32(4),
  /** Eight bytes, little-endian. */
  INT64(8),
  /** Nanoseconds of the day and Julian day: deprecated timestamps. */
  INT96(12),
  /** IEEE 754 single precision. */
  FLOAT(4),
  /** IEEE 754 double precision. */
  DOUBLE(8),
  /** Bytes preceded by their length. */
  BYTE_ARRAY(0),
  /** Bytes of a length that the schema gives. */
  FIXED_LEN_BYTE_ARRAY(0);

  private static final PhysicalKind[] VALUES = values();

  private final int widthInBytes;

  PhysicalKind(int widthInBytes) {
    this.widthInBytes = widthInBytes;
  }

  /** Returns the bytes per value, 0 where the kind alone does not determine them. */
  public int widthInBytes() {
    return widthInBytes;
  }

  /** Returns the kind with a number of the format, null when there is none. */
  static PhysicalKind of(int number) {
    return number >= 0 && number < VALUES.length ? VALUES[number] : null;
  }
}
