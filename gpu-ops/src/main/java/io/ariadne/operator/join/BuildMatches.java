package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.BitSet;

/**
 * Which rows of the build side have been paired, by all threads of work together. The last of these
 * to finish gets the others. Thread-safe.
 */
final class BuildMatches {
  private final int rowCount;
  private final BitSet matched = new BitSet();
  private int open;

  BuildMatches(int rowCount) {
    this.rowCount = rowCount;
  }

  /** Notes that a thread of work begins. */
  synchronized void begin() {
    open++;
  }

  /**
   * Notes what a thread of work has paired, and that it is over.
   *
   * @param bits a bit per row, in host memory; stays the caller's
   * @return whether this was the last one
   */
  synchronized boolean end(MemoryBuffer bits) {
    for (int word = 0; word * (long) Long.SIZE < rowCount; word++) {
      long value = bits.getLong((long) word * Long.BYTES);
      for (; value != 0; value &= value - 1) {
        matched.set(word * Long.SIZE + Long.numberOfTrailingZeros(value));
      }
    }
    open--;
    return open == 0;
  }

  int rowCount() {
    return rowCount;
  }

  /** Returns the first row from one on that has not been paired; the number of rows for none. */
  synchronized int nextUnmatched(int from) {
    return Math.min(matched.nextClearBit(from), rowCount);
  }
}
