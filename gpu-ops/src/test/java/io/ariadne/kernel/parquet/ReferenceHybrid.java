package io.ariadne.kernel.parquet;

import io.ariadne.kernel.abi.ParquetError;

/**
 * A hybrid decoder in plain Java, value by value: what the kernels are to find in any bytes.
 *
 * <p>After {@link #decode}, {@link #code()} is 0 or the error's, and {@link #value} tells the
 * values if there was none.
 */
final class ReferenceHybrid {
  private static final int GROUP = 8;
  private static final int MAX_HEADER_BYTES = 5;

  private final byte[] bytes;
  private final int width;
  private final int[] values;
  private final int limit;
  private final int limitFrom;
  private final int limitCode;
  private int code;
  private int offset;

  /**
   * Prepares a decoder.
   *
   * @param bytes the stream
   * @param width bits per value
   * @param wanted values to decode
   * @param limit the largest value allowed, unsigned
   * @param limitFrom first value that is held to it
   * @param limitCode error of a value above it
   */
  ReferenceHybrid(byte[] bytes, int width, int wanted, int limit, int limitFrom, int limitCode) {
    this.bytes = bytes;
    this.width = width;
    this.values = new int[wanted];
    this.limit = limit;
    this.limitFrom = limitFrom;
    this.limitCode = limitCode;
  }

  /** Returns what is to be answered when a window is refused as a whole. */
  static ReferenceHybrid failed(int code) {
    ReferenceHybrid reference = new ReferenceHybrid(new byte[0], 0, 0, 0, 0, 0);
    reference.code = code;
    return reference;
  }

  int code() {
    return code;
  }

  int offset() {
    return offset;
  }

  int value(int number) {
    return values[number];
  }

  void decode() {
    if (width == 0) {
      return;
    }
    int at = 0;
    int done = 0;
    while (done < values.length && code == 0) {
      int start = at;
      long header = 0;
      int length = 0;
      boolean isWhole = false;
      while (!isWhole && length < MAX_HEADER_BYTES && start + length < bytes.length) {
        header |= (long) (bytes[start + length] & 0x7f) << (7 * length);
        isWhole = bytes[start + length] >= 0;
        length++;
      }
      if (!isWhole || header > 0xffff_ffffL) {
        boolean isCut = bytes.length - start < MAX_HEADER_BYTES;
        int why =
            isCut ? ParquetError.PARQUET_ERROR_TRUNCATED : ParquetError.PARQUET_ERROR_RUN_HEADER;
        fail(why, start);
        return;
      }
      at = start + length;
      boolean isPacked = (header & 1) != 0;
      long run = (header >>> 1) * (isPacked ? GROUP : 1);
      int wanted = (int) Math.min(run, values.length - done);
      int valueBytes = (width + Byte.SIZE - 1) / Byte.SIZE;
      long needed = isPacked ? ((long) wanted * width + Byte.SIZE - 1) / Byte.SIZE : valueBytes;
      if (needed > bytes.length - at) {
        fail(ParquetError.PARQUET_ERROR_TRUNCATED, start);
        return;
      }
      for (int i = 0; i < wanted && code == 0; i++) {
        int value = isPacked ? packed(at, i) : repeated(at, valueBytes);
        int place = isPacked ? at + (int) ((long) i * width / Byte.SIZE) : at;
        put(done + i, value, place, isPacked ? done + i : done + wanted - 1);
      }
      done += wanted;
      at += (int) Math.min(bytes.length - at, isPacked ? run / GROUP * width : valueBytes);
    }
  }

  /** A repeated value is held to the limit when its run's last value is. */
  private void put(int number, int value, int place, int last) {
    values[number] = value;
    if (last >= limitFrom && Integer.compareUnsigned(value, limit) > 0) {
      fail(limitCode, place);
    }
  }

  private void fail(int why, int where) {
    code = why;
    offset = where;
  }

  private int packed(int at, int number) {
    int value = 0;
    for (int bit = 0; bit < width; bit++) {
      long place = (long) number * width + bit;
      int one = bytes[at + (int) (place / Byte.SIZE)] >>> (place % Byte.SIZE) & 1;
      value |= one << bit;
    }
    return value;
  }

  private int repeated(int at, int valueBytes) {
    int value = 0;
    for (int i = 0; i < valueBytes; i++) {
      value |= (bytes[at + i] & 0xff) << (i * Byte.SIZE);
    }
    return value;
  }
}
