package io.ariadne.spill;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.PagePool;
import io.ariadne.memory.testing.PoolCheck;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Batches with several readers stay on disk when they are read. */
class TestCopiesOnDisk {
  private static final Schema LONGS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));
  private static final SpillPlacement FAR = SpillPlacement.at(SpillPlacement.NEAR + 1, true);

  private static final SpillPlacement READ_AGAIN = new ReadAgain(SpillPlacement.NEAR + 1);

  /** Space for one batch of {@link #ROWS}, and not for two. */
  private static final long DISK_BYTES = 100 << 10;

  private static final int ROWS = 64 * 128;

  @RegisterExtension final PoolCheck memory = new PoolCheck(64 << 20);

  @TempDir private Path folder;

  private final RandomBatches random = RandomBatches.create();

  /** Reads and writes of the store so far. */
  private final AtomicInteger calls = new AtomicInteger();

  private PagePool pages;
  private DiskSpillStore disk;
  private SpillController controller;

  @BeforeEach
  void open() {
    pages = new PagePool(memory.pool(), PagePool.PAGE_BYTES, 3, 3);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)).withLimit(DISK_BYTES), pages);
    SpillStore counted =
        new FaultySpillStore(
            disk,
            () -> {
              calls.incrementAndGet();
              return false;
            });
    controller =
        new SpillController(memory.pool(), List.of(counted), new PlanOrderEviction(), 1, 1);
  }

  @AfterEach
  void close() {
    controller.close();
    assertEquals(0, disk.storedBytes());
    disk.close();
    pages.close();
  }

  private RecordBatch batch() {
    return random.batch(LONGS, ROWS, NullPattern.NONE, memory.pool());
  }

  private void moveAll() {
    long[] target = {controller.movedBytes() + 1};
    controller.makeRoom(() -> target[0] - controller.movedBytes());
  }

  private int callsOf(Runnable step) {
    int before = calls.get();
    step.run();
    return calls.get() - before;
  }

  @Test
  void severalReadsCostOneWrite() {
    try (RecordBatch expected = batch();
        SpillableBatch spillable =
            controller.add(new RowRange(0, ROWS).copyOf(expected, memory.pool(), 0), READ_AGAIN)) {
      assertEquals(1, callsOf(this::moveAll));
      for (int i = 0; i < 3; i++) {
        assertFalse(spillable.isInMemory());
        assertEquals(1, callsOf(() -> assertBatchEquals(expected, spillable.read(memory.pool()))));
        spillable.unread();
        assertTrue(spillable.isInMemory());
        assertTrue(disk.storedBytes() > 0);
        assertEquals(0, callsOf(this::moveAll));
      }
      try (RecordBatch taken = spillable.take(memory.pool())) {
        assertBatchEquals(expected, taken);
      }
      assertEquals(0, disk.storedBytes());
    }
  }

  @Test
  void withOneReaderEachMoveIsAWrite() {
    try (RecordBatch expected = batch();
        SpillableBatch spillable =
            controller.add(new RowRange(0, ROWS).copyOf(expected, memory.pool(), 0), FAR)) {
      moveAll();
      assertBatchEquals(expected, spillable.read(memory.pool()));
      assertEquals(0, disk.storedBytes());
      spillable.unread();
      assertEquals(1, callsOf(this::moveAll));
    }
  }

  /** A copy is no reason to refuse a batch that is nowhere else. */
  @Test
  void copiesGiveWayOnAFullDisk() {
    try (RecordBatch expected = batch();
        SpillableBatch first =
            controller.add(new RowRange(0, ROWS).copyOf(expected, memory.pool(), 0), READ_AGAIN)) {
      moveAll();
      assertBatchEquals(expected, first.read(memory.pool()));
      assertTrue(first.hasCopy());
      try (SpillableBatch second =
          controller.add(new RowRange(0, ROWS).copyOf(expected, memory.pool(), 0), READ_AGAIN)) {
        moveAll();
        assertFalse(second.isInMemory());
        assertFalse(first.hasCopy());
        assertBatchEquals(expected, first.read(memory.pool()));
        first.unread();
        assertBatchEquals(expected, second.read(memory.pool()));
        second.unread();
      }
      first.unread();
    }
  }
}
