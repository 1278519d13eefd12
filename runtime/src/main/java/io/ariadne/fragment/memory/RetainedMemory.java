package io.ariadne.fragment.memory;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The memory that several batches hold together. A heap or dictionary that several of them share
 * counts once, in full, until the last of them is removed. Guarded by the fragment's lock.
 */
public final class RetainedMemory {
  private final Map<Object, Integer> holders = new IdentityHashMap<>();
  private long bytes;

  /** Adds the memory of a batch, in time proportional to its shared parts. */
  public void add(BatchMemory memory) {
    bytes += memory.ownBytes();
    for (BatchMemory.Shared shared : memory.shared()) {
      if (holders.merge(shared.part(), 1, Integer::sum) == 1) {
        bytes += shared.bytes();
      }
    }
  }

  /** Removes what was added before. */
  public void remove(BatchMemory memory) {
    bytes -= memory.ownBytes();
    for (BatchMemory.Shared shared : memory.shared()) {
      Integer left = holders.computeIfPresent(shared.part(), (part, n) -> n == 1 ? null : n - 1);
      if (left == null) {
        bytes -= shared.bytes();
      }
    }
  }

  /** Returns the bytes held. */
  public long bytes() {
    return bytes;
  }
}
