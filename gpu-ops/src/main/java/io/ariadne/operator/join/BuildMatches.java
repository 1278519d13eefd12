package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.BitSet;

/**
 * Which rows of the build side, or groups of them, have been paired, by all threads of work
 * together. The last of these to finish may read them. Thread-safe.
 */
final class BuildMatches {
  private final BitSet matched = new BitSet();
  private int open;

  /** Notes that a thread of work begins. */
  synchronized void begin() {
    open++;
  }

  /**
   * Notes what a thread of work has paired, and that it is over.
   *
   * @param bits a bit per row or group, in host memory; stays the caller's
   * @param count how many
   * @return what all have paired, which nobody changes any more, if this was the last one; else
   *     null
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
