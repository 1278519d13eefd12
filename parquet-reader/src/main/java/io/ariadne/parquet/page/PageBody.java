package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.SharedBuffer;

/**
 * The bytes of a page as the file has them, with one hold on the memory they are in.
 *
 * @param memory what they are in
 * @param address first byte behind the header
 * @param lengthInBytes bytes behind the header
 * @param plainLength bytes when decompressed, levels included
 * @param offset byte offset of the header in the file
 * @param version 1 or 2
 * @param repetitionBytes length of the repetition levels before the values, version 2 only
 * @param definitionBytes length of the definition levels before the values, version 2 only
 * @param isCompressed whether the values went through the codec, version 2 only
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
  /** Returns the bytes before the values, which are not compressed. */
  int levelBytes() {
    return repetitionBytes + definitionBytes;
  }

  void release() {
    memory.release();
  }
}
