package io.ariadne.parquet.page;

/**
 * The values of a page whose block is still compressed.
 *
 * @param address first byte of the block, in host memory
 * @param lengthInBytes bytes of the block
 * @param plainLength bytes of the decompressed block
 * @param valuesAt where the values begin in it, less than its length
 * @param firstByte the first byte of the values, not negative
 */
public record PackedValues(
    long address, int lengthInBytes, int plainLength, int valuesAt, int firstByte) {
  /** Returns how many bytes the values have. */
  public int valueBytes() {
    return plainLength - valuesAt;
  }
}
