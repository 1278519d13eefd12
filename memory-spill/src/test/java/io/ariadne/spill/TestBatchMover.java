package io.ariadne.spill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.PagePool;
import io.ariadne.memory.testing.PoolCheck;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class TestBatchMover {
  @RegisterExtension final PoolCheck memory = new PoolCheck(1 << 25);

  @TempDir private Path folder;

  /** A reader may end its use while the batch moves: the queue then finds it not idle. */
  @Test
  void keepsABatchThatBecomesIdleWhileItsMoveFails() {
    MemoryPool pool = memory.pool();
    AtomicReference<Runnable> duringWrite = new AtomicReference<>();
    try (PagePool pages = new PagePool(pool, PagePool.PAGE_BYTES, 3, 6);
        DiskSpillStore disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages)) {
      FaultySpillStore store =
          new FaultySpillStore(
              disk,
              () -> {
                Runnable action = duringWrite.getAndSet(null);
                if (action != null) {
                  action.run();
                }
                return action != null;
              });
      BatchMover mover = new BatchMover(pool, List.of(store), new PlanOrderEviction(), () -> false);
      RecordBatch content =
          RandomBatches.create()
              .batch(
                  RandomBatches.schemaOf(List.of(PrimitiveType.INT64)),
                  1000,
                  NullPattern.NONE,
                  pool);
      try (SpillableBatch batch =
          new SpillableBatch(
              content, MemoryTier.HOST, SpillPlacement.at(1, true), Owners.NONE, presence -> {})) {
        mover.add(batch);
        duringWrite.set(() -> mover.add(batch));
        long moved = mover.movedBytes();
        assertThrows(EngineException.class, () -> mover.makeRoom(() -> 1, true));
        assertEquals(SpillableBatch.State.IDLE, batch.state());
        long bytes = batch.freeableBytes();
        assertEquals(bytes, mover.makeRoom(() -> 1 - (mover.movedBytes() - moved), true));
        assertEquals(MemoryTier.DISK, batch.tier());
      }
    }
  }
}
