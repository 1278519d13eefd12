package io.ariadne.shuffle.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which batches a map output retains without a copy, and how these batches spill. */
class TestRetainedBatches {
  private static final long LIMIT = 16 << 20;
  private static final long TARGET = 1 << 20;
  private static final double LOW_MARK = 0.6;
  private static final Schema LONGS =
      RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.INT64));

  /** Rows of a batch that is large with two partitions; its columns take powers of two. */
  private static final int ROWS = 1 << 16;

  private static final long BATCH_BYTES = 16L * ROWS;

  @TempDir private Path folder;

  private final RandomBatches batches = RandomBatches.create();
  private MemoryPool pageMemory;
  private MemoryPool pool;
  private PagePool pages;
  private DiskSpillStore disk;
  private SpillController controller;
  private MapOutputs outputs;

  @BeforeEach
  void open() {
    pageMemory = MemoryPools.host("pages", 64 << 20, true);
    pool = MemoryPools.host("host", LIMIT, true);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 3, 6);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
    controller = new SpillController(pool, List.of(disk), new PlanOrderEviction(), 0.9, LOW_MARK);
    outputs = new MapOutputs(pool, controller);
  }

  @AfterEach
  void close() {
    assertEquals(0, outputs.runningCount());
    outputs.close();
    assertEquals(0, pool.allocatedBytes());
    controller.close();
    assertEquals(0, disk.storedBytes());
    disk.close();
    pages.close();
    pageMemory.close();
    pool.close();
  }

  private RecordBatch batch() {
    return batches.batch(LONGS, ROWS, NullPattern.NONE, pool);
  }

  /** Writes batches; returns how many of them are kept as they are. */
  private int write(int shuffleId, int partitions, int count) {
    List<RecordBatch> written = new ArrayList<>();
    MapOutputs.Places places = new MapOutputs.Places(partitions, 0);
    try (MapOutputWriter writer = outputs.begin(shuffleId, 1).write(places, TARGET)) {
      for (int i = 0; i < count; i++) {
        written.add(batch());
        int[] firstRows = new int[partitions + 1];
        for (int p = 1; p <= partitions; p++) {
          firstRows[p] = ROWS / partitions * p;
        }
        writer.add(written.get(i), firstRows);
      }
      writer.commit();
    }
    int same = 0;
    for (RetainedRows held : take(shuffleId, partitions)) {
      same += written.contains(held.batch()) ? 1 : 0;
      held.close();
    }
    return same;
  }

  private List<RetainedRows> take(int shuffleId, int partitions) {
    List<RetainedRows> taken = new ArrayList<>();
    try (MapOutputReader reader = outputs.open(shuffleId, 1, 0, partitions)) {
      while (reader.next()) {
        taken.add(reader.take());
      }
    }
    return taken;
  }

  private void moveAll() {
    controller.makeRoom(pool::allocatedBytes);
  }

  /** Uncut batches take a quarter of the memory: those in it, and no longer than they live. */
  @Test
  void retainedBatchesTakeAtMostAQuarterOfMemory() {
    int quarter = (int) (LIMIT / 4 / BATCH_BYTES);
    assertEquals(quarter, write(1, 2, quarter + 3));
    assertEquals(0, write(2, 2, 1));
    assertEquals(1, write(3, 1, 1), "with one partition nothing comes back for others");
    moveAll();
    assertEquals(0, pool.allocatedBytes());
    assertEquals(quarter, write(4, 2, quarter + 3), "others are on disk");
    outputs.drop(1);
    outputs.drop(4);
    assertEquals(quarter, write(5, 2, quarter + 3));
  }

  /** Outputs that nobody reads do not make memory scarce; those of the same shuffle do. */
  @Test
  void idleOutputsDoNotMakeMemoryScarce() {
    int full = (int) (LOW_MARK * LIMIT / BATCH_BYTES) + 1;
    write(1, 1, full);
    assertTrue(controller.isScarce());
    assertFalse(outputs.isScarce());
    assertTrue(outputs.mayStayUncut(2, BATCH_BYTES));
    assertFalse(outputs.mayStayUncut(1, BATCH_BYTES));
    List<RetainedRows> held = take(1, 1);
    assertTrue(outputs.isScarce());
    assertFalse(outputs.mayStayUncut(2, BATCH_BYTES));
    held.forEach(RetainedRows::close);
    assertFalse(outputs.isScarce());
  }

  /** What is lent stays while all else goes to disk, until nobody has any of it. */
  @Test
  void borrowedBatchesAreNotSpilled() {
    write(1, 1, 3);
    RetainedRows first = take(1, 1, 0);
    List<List<Object>> rows = BatchAssertions.rows(first.batch());
    RetainedRows second = take(1, 1, 0);
    assertSame(first.batch(), second.batch());
    RecordBatch one = first.lend(0);
    RecordBatch other = second.lend(1);
    assertEquals(one.column(1).data().address(), other.column(1).data().address());
    moveAll();
    assertEquals(BATCH_BYTES, pool.allocatedBytes());
    BatchAssertions.assertRowsInOrder(rows, BatchAssertions.rows(one));
    one.close();
    moveAll();
    assertEquals(BATCH_BYTES, pool.allocatedBytes());
    BatchAssertions.assertRowsInOrder(rows, BatchAssertions.rows(other));
    other.close();
    moveAll();
    assertEquals(0, pool.allocatedBytes());
    RetainedRows back = take(1, 1, 0);
    BatchAssertions.assertRowsInOrder(rows, BatchAssertions.rows(back.batch()));
    back.close();
  }

  private RetainedRows take(int shuffleId, int partitions, int index) {
    RetainedRows taken = null;
    try (MapOutputReader reader = outputs.open(shuffleId, 1, 0, partitions)) {
      for (int i = 0; i <= index; i++) {
        assertTrue(reader.next());
      }
      taken = reader.take();
    }
    return taken;
  }

  /** Many lend and close the same batches while these are moved and, at the end, dropped. */
  @Test
  void threadsBorrowBatchesWhileTheseAreSpilledAndDropped() throws Exception {
    write(1, 1, 4);
    List<List<List<Object>>> expected = new ArrayList<>();
    for (RetainedRows held : take(1, 1)) {
      expected.add(BatchAssertions.rows(held.batch()).subList(0, 100));
      held.close();
    }
    AtomicBoolean isDone = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> readers = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        readers.add(threads.submit(() -> lendOften(expected)));
      }
      Future<?> mover =
          threads.submit(
              () -> {
                while (!isDone.get()) {
                  moveAll();
                }
              });
      for (Future<?> reader : readers) {
        reader.get();
      }
      isDone.set(true);
      mover.get();
    } finally {
      isDone.set(true);
      threads.shutdown();
    }
    RetainedRows last = take(1, 1, 3);
    RecordBatch lent = last.lend(0);
    outputs.drop(1);
    BatchAssertions.assertRowsInOrder(expected.get(3), BatchAssertions.rows(lent).subList(0, 100));
    assertEquals(BATCH_BYTES, outputs.allocatedBytes());
    lent.close();
    assertEquals(0, outputs.allocatedBytes());
    assertEquals(0, pool.allocatedBytes());
    assertEquals(0, disk.storedBytes());
  }

  private void lendOften(List<List<List<Object>>> expected) {
    for (int run = 0; run < 40; run++) {
      int index = run % expected.size();
      try (RecordBatch lent = take(1, 1, index).lend(run)) {
        BatchAssertions.assertRowsInOrder(
            expected.get(index), BatchAssertions.rows(lent).subList(0, 100));
      }
    }
  }

  /** A drop and the end of the last lease at the same time free an output once. */
  @Test
  void dropDuringTheLastReleaseFreesTheOutputOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int shuffle = 1; shuffle <= 200; shuffle++) {
        MapOutputs.Places places = new MapOutputs.Places(2, 0);
        int dropped = shuffle;
        try (MapOutputWriter writer = outputs.begin(shuffle, 1).write(places, TARGET)) {
          writer.add(batch(), new int[] {0, 1, ROWS});
          writer.commit();
        }
        MapOutputReader reader = outputs.open(shuffle, 1, 0, 2);
        Future<?> end = threads.submit(reader::close);
        Future<?> drop = threads.submit(() -> outputs.drop(dropped));
        end.get();
        drop.get();
        assertEquals(0, outputs.allocatedBytes());
      }
    } finally {
      threads.shutdown();
    }
    int quarter = (int) (LIMIT / 4 / BATCH_BYTES);
    assertEquals(quarter, write(1000, 2, quarter + 3));
  }
}
