package io.ariadne.spill;

import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.SharedBuffer;
import java.util.IdentityHashMap;
import java.util.Map;

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

  /** Returns bytes that closing a batch would free: without what other batches reference. */
  static long bytesOfOnly(RecordBatch batch) {
    Map<Object, Integer> holds = new IdentityHashMap<>();
    batch.visitShared((shared, bytes) -> holds.merge(shared, 1, Integer::sum));
    long[] sum = {batch.ownSizeInBytes()};
    batch.visitShared(
        (shared, bytes) -> {
          Integer own = holds.remove(shared);
          if (own != null && own == of(shared)) {
            sum[0] += bytes;
          }
        });
    return sum[0];
  }
}
