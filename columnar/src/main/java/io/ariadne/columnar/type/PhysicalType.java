package io.ariadne.columnar.type;

/**
 * How the values of one column of one batch are laid out, after the Arrow columnar format.
 *
 * <p>{@link #code()} is the {@code kind} of the kernels' {@code column_view}.
 */
public enum PhysicalType {
  /** One bit per row, least significant bit first. */
  BOOL(1, 0),
  /** Signed 8-bit integers. */
  I8(2, 1),
  /** Signed 16-bit integers. */
  I16(3, 2),
  /** Signed 32-bit integers; days; decimals of at most 9 digits. */
  I32(4, 4),
  /** Signed 64-bit integers; microseconds; decimals of at most 18 digits. */
  I64(5, 8),
  /** Signed 128-bit little-endian integers: decimals of at most 38 digits. */
  I128(6, 16),
  /** IEEE 754 single precision. */
  F32(7, 4),
  /** IEEE 754 double precision. */
  F64(8, 8),
  /** 16-byte Arrow string views: length, then 12 inline bytes or prefix, heap index and offset. */
  VIEW16(9, 16),
  /**
   * Signed 32-bit offsets into a child, one more than there are rows: lists and maps. The first
   * offset need not be 0. Kernels see the offsets as a column of {@link #I32}.
   */
  OFFSETS(10, 4),
  /**
   * Unsigned 32-bit codes into a dictionary of values in another layout. Kernels see the codes as a
   * column of {@link #I32}.
   */
  DICTIONARY32(11, 4),
  /** No data buffer; children or nothing at all. */
  NONE(0, 0);

  private final int code;
  private final int widthInBytes;

  PhysicalType(int code, int widthInBytes) {
    this.code = code;
    this.widthInBytes = widthInBytes;
  }

  /** Returns the number kernels know this layout by. */
  public int code() {
    return code;
  }

  /** Returns bytes per value, 0 for {@link #BOOL} and {@link #NONE}. */
  public int widthInBytes() {
    return widthInBytes;
  }

  /**
   * Returns the unpadded length of the data buffer of a column.
   *
   * @param rowCount rows, at least 0
   * @return bytes
   */
  public long dataLengthInBytes(int rowCount) {
    return switch (this) {
      case BOOL -> (rowCount + 7L) >>> 3;
      case OFFSETS -> (rowCount + 1L) * widthInBytes;
      default -> (long) rowCount * widthInBytes;
    };
  }
}
