package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.BitSet;

/**
 * Collects which build rows, or groups of build rows, all pipeline drivers have paired. The last
 * driver to finish may read the result. Thread-safe.
 */
final class BuildMatches {
  private final BitSet matched = new BitSet();
  private int open;

  /** Registers a driver. */
  synchronized void begin() {
    open++;
  }

  /**
   * Adds what a driver has paired and ends the driver.
   *
   * @param bits a bit per row or group, in host memory; stays the caller's
   * @param count how many
   * @return what all drivers have paired, final, when this driver is the last; else null
   */
  synchronized BitSet end(MemoryBuffer bits, int count) {
    long[] words = new long[count / Long.SIZE + 1];
    for (int word = 0; (long) word * Long.SIZE < count; word++) {
      words[word] = bits.getLong((long) word * Long.BYTES);
    }
    matched.or(BitSet.valueOf(words));
    open--;
    return open == 0 ? matched : null;
  }
}
