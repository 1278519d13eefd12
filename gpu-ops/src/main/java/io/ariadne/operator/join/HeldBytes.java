package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** What batches take in memory together: heaps and dictionaries that several share count once. */
final class HeldBytes {
  private final Set<Object> shared = Collections.newSetFromMap(new IdentityHashMap<>());
  private long bytes;

  void add(RecordBatch batch) {
    bytes += batch.ownSizeInBytes();
    batch.visitShared((held, heldBytes) -> bytes += shared.add(held) ? heldBytes : 0);
  }

  /** Adds what others take, and takes it for theirs alone. */
  void addAll(HeldBytes others) {
    bytes += others.bytes;
  }

  void clear() {
    shared.clear();
    bytes = 0;
  }

  long bytes() {
    return bytes;
  }
}
