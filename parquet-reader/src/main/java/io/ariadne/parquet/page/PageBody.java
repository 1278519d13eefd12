package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.SharedBuffer;

/**
 * The bytes of a page as the file stores them, with one reference to their memory.
 *
 * @param memory memory that contains the bytes
 * @param address first byte after the header
 * @param lengthInBytes number of bytes after the header
 * @param plainLength size after decompression, including levels
 * @param offset offset of the header in the file
 * @param version 1 or 2
 * @param repetitionBytes size of the repetition levels before the values, version 2 only
 * @param definitionBytes size of the definition levels before the values, version 2 only
 * @param isCompressed whether the values are compressed, version 2 only
 */
record PageBody(
    SharedBuffer memory,
    long address,
    int lengthInBytes,
    int plainLength,
    long offset,
    int version,
    int repetitionBytes,
    int definitionBytes,
    boolean isCompressed) {
  /** Returns the number of uncompressed bytes before the values. */
  int levelBytes() {
    return repetitionBytes + definitionBytes;
  }

  void release() {
    memory.release();
  }
}
