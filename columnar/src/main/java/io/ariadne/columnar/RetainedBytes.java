package io.ariadne.columnar;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Sums up the bytes that batches take in memory together: heaps and dictionaries that several
 * batches share count once. Not thread-safe.
 */
public final class RetainedBytes {
  private final Set<Object> shared = Collections.newSetFromMap(new IdentityHashMap<>());
  private long bytes;

  /** Creates a sum of 0. */
  public RetainedBytes() {}

  /** Adds a batch, which stays owned by the caller. */
  public void add(RecordBatch batch) {
    bytes += batch.ownSizeInBytes();
    batch.visitShared((held, heldBytes) -> bytes += shared.add(held) ? heldBytes : 0);
  }

  /** Adds what others take, and takes it for theirs alone. */
  public void addAll(RetainedBytes others) {
    bytes += others.bytes;
  }

  /** Resets the sum to 0. */
  public void clear() {
    shared.clear();
    bytes = 0;
  }

  /** Returns the bytes. */
  public long bytes() {
    return bytes;
  }
}
