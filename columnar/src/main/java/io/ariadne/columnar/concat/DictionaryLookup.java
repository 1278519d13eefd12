package io.ariadne.columnar.concat;

import io.ariadne.columnar.buffer.MemoryBuffer;

/**
 * Looks up the values of dictionary columns. Implementations need not be thread-safe: a
 * concatenator calls its lookup on one thread at a time.
 */
@FunctionalInterface
public interface DictionaryLookup {
  /** Looks values up row by row in Java. Thread-safe. It trusts the codes. */
  DictionaryLookup JAVA = ValueRanges::lookUp;

  /**
   * Writes the values of rows, in the layout of the dictionary's entries. Under nulls it writes the
   * values of the codes there. Views keep their heap numbers.
   *
   * @param rows at least one row of a dictionary column in host memory; stays the caller's
   * @param target host memory for the values, without padding; stays the caller's
   * @param offset byte of the target at which the first value goes, a multiple of its width; 0 for
   *     bits
   */
  void lookUp(ColumnSlice rows, MemoryBuffer target, long offset);
}
