package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import java.util.function.LongSupplier;

/**
 * A memory space for batches that are kept for later, which it may move to another tier while no
 * thread reads them. Thread-safe.
 */
public interface SpillSpace {
  /**
   * Takes ownership of a batch in this memory space.
   *
   * @param batch ownership passes to the result
   * @param placement how soon the batch is needed; called by any thread, at any time
   * @return a spillable batch, which the caller takes or closes
   */
  default SpillableBatch add(RecordBatch batch, SpillPlacement placement) {
    return add(batch, placement, presence -> {});
  }

  /**
   * Takes ownership of a batch as {@link #add(RecordBatch, SpillPlacement)} does.
   *
   * @param watcher learns of each change whether the batch is in memory
   */
  SpillableBatch add(RecordBatch batch, SpillPlacement placement, PresenceWatcher watcher);

  /**
   * Registers memory in use that may be revoked when spillable batches do not suffice.
   *
   * @param placement how soon the memory is needed; called by any thread, at any time
   * @param holder releases the memory on request
   * @return a handle that the holder tells of uses and closes
   */
  Revocable revocable(SpillPlacement placement, Revocable.Holder holder);

  /**
   * Moves batches on the calling thread until no bytes are missing or no batch may go. The caller
   * holds no lock that the owner of a batch needs.
   *
   * @param missing returns bytes of memory that are still missing, at most 0 when enough is free;
   *     called before each portion
   * @return bytes freed, at most one batch more than were missing
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when all stores are full: nothing of the
   *     last portion has moved
   */
  long makeRoom(LongSupplier missing);

  /**
   * Returns whether memory is so full that batches may soon be moved. It then pays to bring data
   * that is kept for longer into the form in which it is read back. A snapshot.
   */
  default boolean isScarce() {
    return excessBytes() > 0;
  }

  /**
   * Returns bytes in use above the threshold of {@link #isScarce}, at most 0 below it. A caller
   * that knows which of these bytes may go at once subtracts them. A snapshot.
   */
  long excessBytes();

  /**
   * Returns bytes that this memory space may hold at once, shared by all users: a caller that keeps
   * much data makes its pieces small against that. {@link Long#MAX_VALUE} when unknown.
   */
  long capacityInBytes();

  /**
   * Returns a space that moves nothing, for callers without a tier below.
   *
   * @param tier of the batches
   */
  static SpillSpace unmoved(MemoryTier tier) {
    return new UnmovedBatches(tier);
  }
}
