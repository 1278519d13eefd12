package io.ariadne.columnar.builder;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import java.math.BigInteger;

/** Builds columns of signed 128-bit integers: unscaled decimals. */
public final class Int128Builder extends FixedWidthBuilder {
  private static final int MAX_BITS = 127;

  Int128Builder(DataType type, BufferAllocator allocator) {
    super(type, PhysicalType.I128, allocator);
  }

  /**
   * Appends {@code high * 2^64 + low} with {@code low} taken as unsigned.
   *
   * @param high upper half, with the sign
   * @param low lower half
   */
  public void append(long high, long low) {
    long row = nextRow();
    Memory.putLong(row, low);
    Memory.putLong(row + Long.BYTES, high);
    endValue();
  }

  /** Appends a value that fits 64 bits. */
  public void append(long value) {
    append(value >> (Long.SIZE - 1), value);
  }

  /**
   * Appends a value.
   *
   * @param value within 128 bits
   * @throws ArithmeticException when the value has more than 128 bits
   */
  public void append(BigInteger value) {
    if (value.bitLength() > MAX_BITS) {
      throw new ArithmeticException(value + " does not fit 128 bits");
    }
    append(value.shiftRight(Long.SIZE).longValue(), value.longValue());
  }

  @Override
  void appendObject(Object value) {
    if (value instanceof BigInteger unscaled) {
      append(unscaled);
    } else {
      append(integral(value));
    }
  }
}
