package io.ariadne.fragment.memory;

import io.ariadne.columnar.RecordBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory that a batch held when this was created; the batch may be closed since. Immutable.
 *
 * @param ownBytes bytes that only the batch holds
 * @param shared buffers that other batches may hold as well, in any order, possibly several times
 *     each
 */
public record BatchMemory(long ownBytes, List<Shared> shared) {
  /** No memory. */
  public static final BatchMemory NONE = new BatchMemory(0, List.of());

  /**
   * A string heap or a dictionary.
   *
   * @param part its identity
   * @param bytes its size
   */
  public record Shared(Object part, long bytes) {}

  /** Returns the memory that a batch holds. */
  public static BatchMemory of(RecordBatch batch) {
    List<Shared> shared = new ArrayList<>();
    batch.visitShared((part, bytes) -> shared.add(new Shared(part, bytes)));
    return new BatchMemory(batch.ownSizeInBytes(), List.copyOf(shared));
  }
}
