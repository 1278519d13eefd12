package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * For tests of code that keeps batches: every batch leaves memory as soon as it is added, so that
 * every read is from disk, and memory in use is revoked after every use.
 */
public final class EagerSpillSpace implements SpillSpace, AutoCloseable {
  private final MemoryPool pageMemory = MemoryPools.host("pages", 64L << 20, true);
  private final PagePool pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 0, 32);
  private final DiskSpillStore store;
  private final Set<SpillableBatch> batches = ConcurrentHashMap.newKeySet();
  private final BatchOwner owner =
      new BatchOwner() {
        @Override
        public void gone(SpillableBatch batch) {
          batches.remove(batch);
        }

        @Override
        public void idle(SpillableBatch batch) {
          move(batch);
        }
      };

  private final Set<Revocable> revocables = ConcurrentHashMap.newKeySet();
  private final Revocable.Registry eager =
      new Revocable.Registry() {
        @Override
        public boolean wants(Revocable used) {
          return true;
        }

        @Override
        public void free(Revocable unused) {
          // revoked after each use
        }

        @Override
        public void closed(Revocable closed) {
          revocables.remove(closed);
        }
      };

  /** Creates a space over a directory. */
  public EagerSpillSpace(Path directory) {
    this.store = new DiskSpillStore(DiskSpillOptions.in(List.of(directory)), pages);
  }

  @Override
  public SpillableBatch add(RecordBatch batch, SpillPlacement placement, PresenceWatcher watcher) {
    SpillableBatch added = new SpillableBatch(batch, MemoryTier.HOST, placement, owner, watcher);
    batches.add(added);
    move(added);
    return added;
  }

  private void move(SpillableBatch batch) {
    RecordBatch content = batch.beginMove();
    if (content == null) {
      return;
    }
    StoredBatch stored = null;
    try {
      if (!batch.hasCopy()) {
        stored = new StoredBatch(store, store.write(List.of(content)).get(0));
      }
    } catch (RuntimeException | Error e) {
      batch.abortMove();
      throw e;
    }
    batch.endMove(stored);
  }

  /** Returns bytes on disk now. */
  public long storedBytes() {
    return store.storedBytes();
  }

  @Override
  public Revocable revocable(SpillPlacement placement, Revocable.Holder holder) {
    Revocable added = new Revocable(placement, holder, eager);
    revocables.add(added);
    return added;
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
    return Long.MAX_VALUE;
  }

  /**
   * Closes the store.
   *
   * @throws IllegalStateException when a batch is not gone, memory in use is not closed, or bytes
   *     are left on disk
   */
  @Override
  public void close() {
    long left = store.storedBytes();
    store.close();
    pages.close();
    pageMemory.close();
    if (!batches.isEmpty() || !revocables.isEmpty() || left > 0) {
      throw new IllegalStateException(
          batches.size()
              + " batches, "
              + revocables.size()
              + " in use, "
              + left
              + " bytes on disk left");
    }
  }
}
