package io.ariadne.kernel.parquet;

import io.ariadne.kernel.abi.ParquetError;

/** Snappy in plain Java: the bytes of a block, or what is wrong with it and where. */
final class ReferenceSnappy {
  private final byte[] stream;
  private final byte[] result;
  private int made;
  private int code;
  private int offset;

  private ReferenceSnappy(byte[] stream, int bytes) {
    this.stream = stream;
    this.result = new byte[bytes];
  }

  /** Decodes a block that is to have so many bytes. */
  static ReferenceSnappy decode(byte[] stream, int bytes) {
    ReferenceSnappy reference = new ReferenceSnappy(stream, bytes);
    reference.run();
    return reference;
  }

  /** Returns what is wrong; 0 for nothing. */
  int code() {
    return code;
  }

  /** Returns the byte where it is. */
  int offset() {
    return offset;
  }

  /** Returns the bytes of a sound block. */
  byte[] result() {
    return result;
  }

  private void run() {
    int at = 0;
    long declared = 0;
    boolean goesOn = true;
    while (goesOn) {
      if (at == 5 || at == stream.length) {
        fail(ParquetError.PARQUET_ERROR_RUN_HEADER, 0);
        return;
      }
      declared |= (long) (stream[at] & 0x7f) << (7 * at);
      goesOn = stream[at++] < 0;
    }
    if (declared > 0xffff_ffffL) {
      fail(ParquetError.PARQUET_ERROR_RUN_HEADER, 0);
    } else if (declared != result.length) {
      fail(ParquetError.PARQUET_ERROR_SIZE, 0);
    }
    while (code == 0 && at < stream.length) {
      at = element(at);
    }
    if (code == 0 && made < result.length) {
      fail(ParquetError.PARQUET_ERROR_TRUNCATED, stream.length);
    }
  }

  private void fail(int what, int where) {
    code = what;
    offset = where;
  }

  /** Takes the element at a byte; returns the byte behind it. */
  private int element(int at) {
    int tag = stream[at] & 0xff;
    int kind = tag & 3;
    int high = tag >>> 2;
    int more = kind == 0 ? Math.max(high - 59, 0) : kind == 3 ? 4 : kind;
    if (more > stream.length - at - 1) {
      fail(ParquetError.PARQUET_ERROR_TRUNCATED, at);
      return at;
    }
    long behind = 0;
    for (int i = 0; i < more; i++) {
      behind |= (stream[at + 1 + i] & 0xffL) << (Byte.SIZE * i);
    }
    if (kind == 0) {
      return literal(at, at + 1 + more, (more == 0 ? high : behind) + 1);
    }
    copy(
        at,
        kind == 1 ? 4 + (high & 7) : high + 1,
        kind == 1 ? (tag >>> 5 << Byte.SIZE) + behind : behind);
    return at + 1 + more;
  }

  private int literal(int at, int from, long length) {
    if (length > stream.length - from) {
      fail(ParquetError.PARQUET_ERROR_TRUNCATED, at);
      return at;
    }
    if (length > result.length - made) {
      fail(ParquetError.PARQUET_ERROR_LENGTH, at);
      return at;
    }
    System.arraycopy(stream, from, result, made, (int) length);
    made += (int) length;
    return from + (int) length;
  }

  private void copy(int at, int length, long distance) {
    if (distance == 0 || distance > made) {
      fail(ParquetError.PARQUET_ERROR_DISTANCE, at);
      return;
    }
    if (length > result.length - made) {
      fail(ParquetError.PARQUET_ERROR_LENGTH, at);
      return;
    }
    for (int i = 0; i < length; i++, made++) {
      result[made] = result[made - (int) distance];
    }
  }
}
