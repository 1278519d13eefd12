package io.ariadne.spill;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many threads evict, prefetch, read, take, split and close the same batches at once, over a store
 * that fails at times. Afterwards every batch can still be evicted, and nothing is left in memory
 * or on disk.
 */
class TestEvictionRaces {
  private static final int THREADS = 8;
  private static final int STEPS = 600;
  private static final int MOST_BATCHES = 200;
  private static final long LIMIT = 512 << 10;
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.STRING));

  private static final WaitTimes IMPATIENT =
      new WaitTimes(Duration.ofMillis(10), Duration.ofMillis(100), Duration.ZERO);

  @TempDir private Path folder;

  private final RandomBatches random = RandomBatches.create();
  private final MemoryPool pageMemory = MemoryPools.host("pages", 64 << 20, true);
  private final MemoryPool sources = MemoryPools.host("expected", 64 << 20, true);
  private final MemoryPool pool = MemoryPools.host("host", LIMIT, true);
  private final List<RecordBatch> contents = new ArrayList<>();
  private final ConcurrentHashMap<Integer, Shared> batches = new ConcurrentHashMap<>();
  private final AtomicInteger nextNumber = new AtomicInteger();

  /** A batch that all threads use, and what it must contain. */
  private record Shared(SpillableBatch batch, RecordBatch content, int firstRow) {}

  /** A placement that changes as those of in-flight batches do. */
  private static final class Drifting implements SpillPlacement {
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public int distanceToUse() {
      return asked.incrementAndGet() % (2 * NEAR);
    }

    @Override
    public boolean isActive() {
      return asked.get() % 3 != 0;
    }
  }

  /** A placement that comes nearer as a sorted run's do. */
  private static final class Opening implements SpillPlacement {
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public int distanceToUse() {
      return isActive() ? 1 : NEAR + 1;
    }

    @Override
    public boolean isActive() {
      return asked.incrementAndGet() > 20;
    }

    @Override
    public boolean onlyComesNearer() {
      return true;
    }
  }

  @Test
  @Timeout(120)
  void losesNoBatchAndNoByte() throws Exception {
    for (int i = 0; i < 8; i++) {
      ColumnEncoding encoding = ColumnEncoding.values()[i % ColumnEncoding.values().length];
      int rows = 300 + random.random().nextInt(700);
      contents.add(random.batch(SCHEMA, rows, NullPattern.SOME, encoding, sources));
    }
    Random faults = new Random(random.seed());
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    ExecutorService readers = Executors.newFixedThreadPool(2);
    try (PagePool pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 3, 6);
        DiskSpillStore disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages)) {
      SpillStore store = new FaultySpillStore(disk, () -> isOneOf(faults, 20));
      try (SpillController controller =
          new SpillController(pool, List.of(store), new PlanOrderEviction(), 0.8, 0.6, IMPATIENT)) {
        controller.prefetchOn(readers);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          Random choice = new Random(random.seed() * 31 + i);
          all.add(threads.submit(() -> work(controller, choice)));
        }
        for (Future<?> each : all) {
          each.get();
        }
        assertTrue(controller.movedBatches() > THREADS, controller.movedBatches() + " moved");
        controller.prefetchOn(null);
        evictAll(controller);
        batches.values().forEach(each -> each.batch().close());
        assertEquals(0, controller.batchCount());
      }
      assertEquals(0, disk.storedBytes(), "seed " + random.seed());
    } finally {
      threads.shutdown();
      readers.shutdown();
    }
    assertEquals(0, pool.allocatedBytes(), "seed " + random.seed());
    contents.forEach(RecordBatch::close);
    pool.close();
    sources.close();
    pageMemory.close();
  }

  /** Fails when the queue has forgotten an idle batch. */
  private void evictAll(SpillController controller) {
    for (int i = 0; i < 1000 && inMemory() > 0; i++) {
      try {
        controller.makeRoom(() -> Long.MAX_VALUE);
      } catch (EngineException e) {
        assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      }
    }
    assertEquals(0, inMemory(), "seed " + random.seed());
  }

  private long inMemory() {
    return batches.values().stream().filter(each -> each.batch().isInMemory()).count();
  }

  private void work(SpillController controller, Random choice) {
    for (int step = 0; step < STEPS; step++) {
      try {
        step(controller, choice);
      } catch (EngineException e) {
        assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), e.getMessage());
      }
      assertTrue(pool.allocatedBytes() <= LIMIT);
    }
  }

  private void step(SpillController controller, Random choice) {
    if (batches.size() < MOST_BATCHES && choice.nextInt(3) == 0) {
      RecordBatch content = contents.get(choice.nextInt(contents.size()));
      RecordBatch copy = new RowRange(0, content.rowCount()).copyOf(content, pool, 0);
      keep(controller, copy, content, 0, choice);
      return;
    }
    int last = nextNumber.get();
    int number = last - choice.nextInt(Math.max(1, Math.min(last, MOST_BATCHES)));
    switch (choice.nextInt(8)) {
      case 0 -> {
        Shared closed = batches.remove(number);
        if (closed != null) {
          closed.batch().close();
        }
      }
      case 1 -> split(controller, number, choice);
      case 2 -> prefetch(choice);
      case 3 -> pool.allocate(choice.nextInt((int) LIMIT / 8)).close();
      default -> read(batches.get(number));
    }
  }

  /** Asks for several batches, some of which other threads use or close meanwhile. */
  private void prefetch(Random choice) {
    int last = nextNumber.get();
    for (int number = last - choice.nextInt(MOST_BATCHES); number <= last; number += 7) {
      Shared wanted = batches.get(number);
      if (wanted != null) {
        wanted.batch().prefetch();
      }
    }
  }

  private void read(Shared shared) {
    if (shared == null) {
      return;
    }
    RecordBatch opened;
    try {
      opened = shared.batch().read(pool);
    } catch (IllegalStateException e) {
      // another thread has taken or closed it
      assertFalse(batches.containsValue(shared), e.getMessage());
      return;
    }
    try {
      check(shared, opened);
    } finally {
      shared.batch().unread();
    }
  }

  /** Takes a batch and keeps a part of it, which shares string heaps with the copies of others. */
  private void split(SpillController controller, int number, Random choice) {
    Shared whole = batches.remove(number);
    if (whole == null) {
      return;
    }
    try (SpillableBatch last = whole.batch();
        RecordBatch taken = last.take(pool)) {
      check(whole, taken);
      int rows = taken.rowCount();
      for (int from = 0; rows > 1 && from < rows; from += (rows + 1) / 2) {
        int to = Math.min(rows, from + (rows + 1) / 2);
        RecordBatch part = new RowRange(from, to - from).copyOf(taken, pool, 0);
        keep(controller, part, whole.content(), whole.firstRow() + from, choice);
      }
    } catch (IllegalStateException e) {
      // another thread reads it at the moment; it is closed when that has ended
      assertTrue(e.getMessage().contains("READING"), e.getMessage());
    }
  }

  private void check(Shared shared, RecordBatch found) {
    try (RecordBatch expected =
        new RowRange(shared.firstRow(), found.rowCount()).copyOf(shared.content(), sources, 0)) {
      assertBatchEquals(expected, found);
    }
  }

  private void keep(
      SpillController controller, RecordBatch part, RecordBatch content, int from, Random choice) {
    SpillPlacement placement =
        switch (choice.nextInt(3)) {
          case 0 -> new Drifting();
          case 1 -> new Opening();
          default -> SpillPlacement.at(choice.nextInt(2 * SpillPlacement.NEAR), true);
        };
    SpillableBatch added = controller.add(part, placement);
    batches.put(nextNumber.incrementAndGet(), new Shared(added, content, from));
  }

  private static boolean isOneOf(Random faults, int bound) {
    synchronized (faults) {
      return faults.nextInt(bound) == 0;
    }
  }
}
