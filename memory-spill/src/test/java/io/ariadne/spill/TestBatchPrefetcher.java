package io.ariadne.spill;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.memory.Reservation;
import io.ariadne.memory.testing.Await;
import io.ariadne.memory.testing.TestingDevice;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import io.ariadne.spill.host.DeviceBatches;
import io.ariadne.spill.host.HostSpillStore;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read ahead, when, and what happens to it; the reads run when the test says so. */
class TestBatchPrefetcher {
  private static final long LIMIT = 1 << 20;
  private static final int BATCH_KIB = 64;
  private static final Schema LONGS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));
  private static final SpillPlacement FAR = SpillPlacement.at(SpillPlacement.NEAR + 1, true);

  @TempDir private Path folder;

  private final RandomBatches random = RandomBatches.create();
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private final List<SpillableBatch> batches = new ArrayList<>();
  private MemoryPool pageMemory;
  private MemoryPool sources;
  private MemoryPool pool;
  private PagePool pages;
  private DiskSpillStore disk;
  private SpillController controller;
  private RecordBatch content;
  private boolean readFails;

  @BeforeEach
  void open() {
    pageMemory = MemoryPools.host("pages", 64 << 20, true);
    sources = MemoryPools.host("expected", 64 << 20, true);
    pool = MemoryPools.host("host", LIMIT, true);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 0, 12);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
    SpillStore store = new FaultySpillStore(disk, () -> readFails);
    controller = new SpillController(pool, List.of(store), new PlanOrderEviction(), 0.8, 0.6);
    controller.prefetchOn(threads::add);
    content = random.batch(LONGS, BATCH_KIB * 128, NullPattern.NONE, sources);
  }

  @AfterEach
  void close() {
    batches.forEach(SpillableBatch::close);
    runReads();
    controller.close();
    assertEquals(0, disk.storedBytes(), "bytes on disk");
    disk.close();
    pages.close();
    pageMemory.close();
    content.close();
    sources.close();
    assertEquals(0, pool.allocatedBytes(), pool.leakReport());
    pool.close();
  }

  private void runReads() {
    while (!threads.isEmpty()) {
      threads.remove().run();
    }
  }

  private RecordBatch copy(MemoryPool target) {
    return new RowRange(0, content.rowCount()).copyOf(content, target, 0);
  }

  /** Adds batches, all of which are on disk afterwards. */
  private void addSpilled(int count) {
    for (int i = 0; i < count; i++) {
      SpillableBatch added = controller.add(copy(pool), FAR);
      batches.add(added);
      controller.makeRoom(() -> added.isInMemory() ? 1 : 0);
    }
    assertEquals(List.of(), inMemory());
  }

  /** Returns the numbers of the batches in memory. */
  private List<Integer> inMemory() {
    return IntStream.range(0, batches.size())
        .filter(i -> batches.get(i).isInMemory())
        .boxed()
        .toList();
  }

  private long batchBytes() {
    return content.ownSizeInBytes();
  }

  /** Batches come back in the order of the requests until a quarter of the pool is left. */
  @Test
  void readsInOrderWhileAQuarterIsFree() {
    addSpilled(16);
    for (int i = batches.size() - 1; i >= 0; i--) {
      batches.get(i).prefetch();
    }
    runReads();
    assertEquals(IntStream.range(4, 16).boxed().toList(), inMemory());
    assertEquals(12 * batchBytes(), pool.allocatedBytes());
    assertEquals(16 * batchBytes(), controller.movedBytes(), "nothing was spilled for it");
    assertTrue(controller.excessBytes() <= 0, "what is read ahead makes memory scarce");
  }

  /** A batch that is taken or closed makes room for the next ones. */
  @Test
  void continuesWhenMemoryIsFreed() {
    addSpilled(16);
    batches.forEach(SpillableBatch::prefetch);
    runReads();
    assertEquals(12, inMemory().size());
    try (RecordBatch taken = batches.get(0).take(pool)) {
      assertBatchEquals(content, taken);
    }
    batches.get(1).close();
    runReads();
    assertEquals(IntStream.range(2, 14).boxed().toList(), inMemory());
  }

  /**
   * An allocation gets the memory of what is needed last, without a write, down to the high mark;
   * that comes again.
   */
  @Test
  void givesTheLastBackFirst() {
    addSpilled(12);
    batches.forEach(SpillableBatch::prefetch);
    runReads();
    long moved = controller.movedBytes();
    try (MemoryBuffer memory = pool.allocate(6 * batchBytes())) {
      List<Integer> first = IntStream.range(0, 6).boxed().toList();
      Await.until(() -> inMemory().equals(first));
      runReads();
      assertEquals(first, inMemory());
      assertEquals(6 * batchBytes(), memory.lengthInBytes());
    }
    runReads();
    assertEquals(12, inMemory().size());
    assertEquals(moved, controller.movedBytes());
  }

  /** A reservation that waits gets it, too. */
  @Test
  void aReservationGetsAll() throws InterruptedException {
    addSpilled(8);
    batches.forEach(SpillableBatch::prefetch);
    runReads();
    Reservation everything = pool.reserve("everything", LIMIT, 20_000);
    assertEquals(List.of(), inMemory());
    runReads();
    assertEquals(List.of(), inMemory());
    everything.close();
    runReads();
    assertEquals(8, inMemory().size());
  }

  /** A batch that is used leaves its store, and may be spilled as any other. */
  @Test
  void aUsedBatchIsSpillable() {
    addSpilled(2);
    batches.forEach(SpillableBatch::prefetch);
    runReads();
    assertTrue(disk.storedBytes() > 0);
    for (SpillableBatch batch : batches) {
      assertEquals(MemoryTier.HOST, batch.tier());
      assertEquals(0, batch.bytesToReadBack());
      assertBatchEquals(content, batch.read(pool));
      batch.unread();
    }
    assertEquals(0, disk.storedBytes());
    assertEquals(batchBytes(), batches.get(0).freeableBytes());
    controller.makeRoom(() -> pool.allocatedBytes());
    assertEquals(List.of(), inMemory());
    runReads();
    assertEquals(List.of(), inMemory(), "a request lasts until the use");
  }

  /** A request for a batch in memory counts when the batch leaves memory. */
  @Test
  void aRequestOutlastsAnEviction() {
    runReads();
    batches.add(controller.add(copy(pool), FAR));
    batches.get(0).prefetch();
    assertTrue(threads.isEmpty(), "there is nothing to read yet");
    controller.makeRoom(() -> pool.allocatedBytes());
    assertEquals(List.of(), inMemory());
    runReads();
    assertEquals(List.of(0), inMemory());
  }

  /** A failed read is left to the user of the batch, who gets the error; others are read. */
  @Test
  void aFailedReadIsLeftToTheUser() {
    addSpilled(2);
    batches.get(0).prefetch();
    readFails = true;
    runReads();
    assertEquals(List.of(), inMemory());
    assertThrows(EngineException.class, () -> batches.get(0).read(pool));
    readFails = false;
    batches.get(1).prefetch();
    runReads();
    assertEquals(List.of(1), inMemory());
    assertBatchEquals(content, batches.get(0).read(pool));
    batches.get(0).unread();
  }

  /** What is larger than three quarters of the pool is not read ahead, and holds up nothing. */
  @Test
  void aBatchThatIsTooLargeIsLeftOut() {
    SpillableBatch large;
    try (RecordBatch rows = random.batch(LONGS, 100_000, NullPattern.NONE, sources)) {
      large = controller.add(new RowRange(0, rows.rowCount()).copyOf(rows, pool, 0), FAR);
    }
    controller.makeRoom(() -> pool.allocatedBytes());
    large.prefetch();
    addSpilled(1);
    batches.get(0).prefetch();
    runReads();
    assertFalse(large.isInMemory());
    assertEquals(List.of(0), inMemory());
    large.close();
  }

  /** Requests that are cancelled by close or take, before and after the read, leave nothing. */
  @Test
  void aClosedBatchIsNotRead() {
    addSpilled(4);
    batches.forEach(SpillableBatch::prefetch);
    batches.get(0).close();
    batches.get(1).take(pool).close();
    runReads();
    assertEquals(List.of(2, 3), inMemory());
    batches.get(2).prefetch();
    batches.get(2).close();
    batches.get(2).prefetch();
    batches.get(3).take(pool).close();
    runReads();
    assertEquals(List.of(), inMemory());
    assertEquals(0, controller.excessBytes() + (long) (LIMIT * 0.6));
  }

  /** Threads that were shut down read nothing; users read their batches themselves. */
  @Test
  void threadsMayBeShutDown() {
    addSpilled(1);
    controller.prefetchOn(
        work -> {
          throw new RejectedExecutionException();
        });
    batches.get(0).prefetch();
    assertEquals(List.of(), inMemory());
    assertBatchEquals(content, batches.get(0).read(pool));
    batches.get(0).unread();
  }

  /** A batch of the device comes up from disk over the host, each tier as its memory allows. */
  @Test
  void comesUpThroughBothTiers() {
    TestingDevice engine = new TestingDevice();
    DeviceBatches onDevice = new DeviceBatches(engine);
    MemoryPool device = MemoryPools.over("device", LIMIT, engine);
    HostSpillStore hosted = new HostSpillStore(pool, controller, engine);
    SpillController above =
        new SpillController(device, List.of(hosted), new PlanOrderEviction(), 0.8, 0.6);
    above.prefetchOn(threads::add);
    Supplier<RecordBatch> made =
        () -> {
          try (RecordBatch copy = copy(sources)) {
            return onDevice.toDevice(copy, device, true);
          }
        };
    List<SpillableBatch> moved = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      SpillableBatch added = above.add(made.get(), FAR);
      moved.add(added);
      above.makeRoom(() -> added.isInMemory() ? 1 : 0);
    }
    controller.makeRoom(() -> pool.allocatedBytes());
    assertEquals(0, pool.allocatedBytes() + device.allocatedBytes());
    try (MemoryBuffer inUse = device.allocate(LIMIT / 2)) {
      assertEquals(MemoryTier.DEVICE, inUse.tier());
      moved.forEach(SpillableBatch::prefetch);
      runReads();
      assertEquals(4, moved.stream().filter(SpillableBatch::isInMemory).count());
      assertEquals(8 * batchBytes(), pool.allocatedBytes(), "all are on the host");
    }
    runReads();
    assertEquals(8, moved.stream().filter(SpillableBatch::isInMemory).count());
    for (SpillableBatch batch : moved) {
      try (RecordBatch taken = batch.take(device);
          RecordBatch found = onDevice.toHost(taken, sources)) {
        assertBatchEquals(content, found);
      }
    }
    above.close();
    hosted.close();
    device.close();
  }
}
