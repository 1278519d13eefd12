package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import java.util.function.LongSupplier;

/**
 * A memory space without a tier below: batches stay where they are.
 *
 * @param tier of the batches
 */
record UnmovedBatches(MemoryTier tier) implements SpillSpace {
  private static final BatchOwner NO_OWNER =
      new BatchOwner() {
        @Override
        public void gone(SpillableBatch batch) {
          // not counted
        }

        @Override
        public void idle(SpillableBatch batch) {
          // never moved
        }
      };

  private static final Revocable.Registry NEVER =
      new Revocable.Registry() {
        @Override
        public boolean wants(Revocable used) {
          return false;
        }

        @Override
        public void free(Revocable unused) {
          // never revoked
        }

        @Override
        public void closed(Revocable closed) {
          // not counted
        }
      };

  @Override
  public SpillableBatch add(RecordBatch batch, SpillPlacement placement, PresenceWatcher watcher) {
    return new SpillableBatch(batch, tier, placement, NO_OWNER, watcher);
  }

  @Override
  public Revocable revocable(SpillPlacement placement, Revocable.Holder holder) {
    return new Revocable(placement, holder, NEVER);
  }

  @Override
  public long makeRoom(LongSupplier missing) {
    return 0;
  }

  @Override
  public long capacityInBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public long excessBytes() {
    return 0;
  }
}
