package io.ariadne.spill;

import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.buffer.SharedBuffer;

/** Reads reference counts of heaps and dictionaries that batches share. */
final class ReferenceCounts {
  private ReferenceCounts() {}

  /** Returns the reference count of a {@link SharedBuffer} or {@link Dictionary}; a snapshot. */
  static int of(Object shared) {
    if (shared instanceof SharedBuffer buffer) {
      return buffer.holderCount();
    }
    return ((Dictionary) shared).holderCount();
  }
}
