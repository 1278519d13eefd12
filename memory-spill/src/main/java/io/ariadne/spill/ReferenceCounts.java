package io.ariadne.spill;

import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.SharedBuffer;

/** Counts of holders of what batches share. */
final class ReferenceCounts {
  private ReferenceCounts() {}

  /** Returns how many hold a {@link SharedBuffer} or {@link Dictionary}; a snapshot. */
  static int of(Object shared) {
    if (shared instanceof SharedBuffer buffer) {
      return buffer.holderCount();
    }
    return ((Dictionary) shared).holderCount();
  }
}
