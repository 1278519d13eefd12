package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import java.util.function.LongSupplier;

/**
 * Where whoever keeps batches for later puts them: a memory space that may move them away while
 * nobody reads them. Thread-safe.
 */
public interface SpillSpace {
  /**
   * Takes a batch over that lies in this memory space.
   *
   * @param batch owned by the result from now on
   * @param placement where it lies in the work of the process; asked by any thread, at any time
   * @return the batch at rest, to be taken or closed by the caller
   */
  default SpillableBatch add(RecordBatch batch, SpillPlacement placement) {
    return add(batch, placement, presence -> {});
  }

  /**
   * Takes a batch over as {@link #add(RecordBatch, SpillPlacement)} does.
   *
   * @param watcher follows where the batch is from now on
   */
  SpillableBatch add(RecordBatch batch, SpillPlacement placement, SpillableBatch.Watcher watcher);

  /**
   * Registers memory that is in use and may be put away when batches at rest do not suffice.
   *
   * @param placement where it lies in the work of the process; asked by any thread, at any time
   * @param holder who puts it away
   * @return to be told of uses and closed by the holder
   */
  Revocable revocable(SpillPlacement placement, Revocable.Holder holder);

  /**
   * Moves batches on the calling thread until nothing is missing or no batch may go. The caller
   * holds no lock that the owner of a batch needs.
   *
   * @param missing returns bytes of memory that are still missing, at most 0 when the reason is
   *     gone; asked before each portion
   * @return bytes freed, at most one batch's more than were missing
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when all stores are full: nothing of the
   *     last portion has moved
   */
  long makeRoom(LongSupplier missing);

  /**
   * Returns whether memory is so full that batches at rest may soon be moved: what is kept for
   * longer is then worth bringing into the shape in which it is read back. A snapshot.
   */
  default boolean isScarce() {
    return excessBytes() > 0;
  }

  /**
   * Returns bytes in use beyond those from which on memory is {@link #isScarce scarce}, at most 0
   * when it is not: who knows what of that may go at once takes it off. A snapshot.
   */
  long excessBytes();

  /**
   * Returns bytes that may be in this memory space at once, of all who use it: who keeps much makes
   * its pieces small against that. {@link Long#MAX_VALUE} when nobody knows.
   */
  long capacityInBytes();

  /**
   * Returns a space that moves nothing, for whoever has no tier below.
   *
   * @param tier of the batches
   */
  static SpillSpace unmoved(MemoryTier tier) {
    return new UnmovedBatches(tier);
  }
}
