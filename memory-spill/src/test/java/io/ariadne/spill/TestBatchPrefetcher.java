package io.ariadne.spill;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.ColumnEncoding;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is read ahead, when, and what happens to it; the reads run when the test says so. */
class TestBatchPrefetcher {
  private static final long LIMIT = 1 << 20;
  private static final int BATCH_KIB = 64;
  private static final Schema LONGS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));
  private static final SpillPlacement FAR = SpillPlacement.at(SpillPlacement.NEAR + 1, true);

  /** A thread that waits for memory is woken by a change, never by a watchdog. */
  private static final WaitTimes PATIENT =
      new WaitTimes(Duration.ofHours(1), Duration.ofHours(1), Duration.ZERO);

  @TempDir private Path folder;

  private final RandomBatches random = RandomBatches.create();
  private final Deque<Runnable> threads = new ConcurrentLinkedDeque<>();
  private final List<SpillableBatch> batches = new ArrayList<>();
  private MemoryPool pageMemory;
  private MemoryPool sources;
  private MemoryPool pool;
  private PagePool pages;
  private DiskSpillStore disk;
  private SpillController controller;
  private RecordBatch content;
  private boolean readFails;
  private boolean deleteFails;

  /** Is run once by the next write to the disk or read from it. */
  private volatile Runnable inStore = () -> {};

  @BeforeEach
  void open() {
    pageMemory = MemoryPools.host("pages", 64 << 20, true);
    sources = MemoryPools.host("expected", 64 << 20, true);
    pool = MemoryPools.host("host", LIMIT, true);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 0, 12);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
    SpillStore store = new FaultySpillStore(disk, this::accessFails, () -> deleteFails);
    controller =
        new SpillController(pool, List.of(store), new PlanOrderEviction(), 0.8, 0.6, PATIENT);
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

  private boolean accessFails() {
    Runnable now = inStore;
    inStore = () -> {};
    now.run();
    return readFails;
  }

  private void runReads() {
    while (!threads.isEmpty()) {
      threads.remove().run();
    }
  }

  /** Runs reads until so many batches are in memory; the controller may free memory before. */
  private void readUntil(int count) {
    Await.until(
        () -> {
          runReads();
          return inMemory().size() == count;
        });
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

  /** Batches come back in the order of the requests until a third of the pool is left. */
  @Test
  void readsInOrderWhileAThirdIsFree() {
    addSpilled(16);
    for (int i = batches.size() - 1; i >= 0; i--) {
      batches.get(i).prefetch();
    }
    runReads();
    assertEquals(IntStream.range(6, 16).boxed().toList(), inMemory());
    assertEquals(10 * batchBytes(), pool.allocatedBytes());
    assertEquals(16 * batchBytes(), controller.movedBytes(), "nothing was spilled for it");
    assertTrue(controller.excessBytes() <= 0, "what is read ahead makes memory scarce");
  }

  /** A batch that is taken or closed makes room for the next ones. */
  @Test
  void continuesWhenMemoryIsFreed() {
    addSpilled(16);
    batches.forEach(SpillableBatch::prefetch);
    runReads();
    assertEquals(10, inMemory().size());
    try (RecordBatch taken = batches.get(0).take(pool)) {
      assertBatchEquals(content, taken);
    }
    batches.get(1).close();
    runReads();
    assertEquals(IntStream.range(2, 12).boxed().toList(), inMemory());
  }

  /**
   * An allocation gets the memory of what is needed last, without a write, down to the high mark;
   * that comes again.
   */
  @Test
  void givesTheLastBackFirst() {
    addSpilled(10);
    batches.forEach(SpillableBatch::prefetch);
    runReads();
    long moved = controller.movedBytes();
    try (MemoryBuffer memory = pool.allocate(8 * batchBytes())) {
      List<Integer> first = IntStream.range(0, 4).boxed().toList();
      Await.until(() -> inMemory().equals(first));
      runReads();
      assertEquals(first, inMemory());
      assertEquals(8 * batchBytes(), memory.lengthInBytes());
    }
    readUntil(10);
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
    readUntil(8);
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

  /** What is larger than two thirds of the pool is not read ahead, and holds up nothing. */
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

  /** Starts to allocate memory on another thread; returns when that thread waits. */
  private CompletableFuture<MemoryBuffer> allocateAndWait(long bytes) {
    CompletableFuture<MemoryBuffer> allocated =
        CompletableFuture.supplyAsync(() -> pool.allocate(bytes));
    Await.untilWaiting(1, wait -> wait.toString().contains("bytes of pool " + pool.name()));
    return allocated;
  }

  /** A thread that begins to wait for memory during a read has it given back after the read. */
  @Test
  @Timeout(60)
  void theEndOfAReadWakesAThreadThatLacksMemory() {
    addSpilled(1);
    batches.get(0).prefetch();
    List<CompletableFuture<MemoryBuffer>> allocated = new ArrayList<>();
    inStore = () -> allocated.add(allocateAndWait(LIMIT));
    runReads();
    allocated.get(0).join().close();
    readUntil(1);
  }

  /** While a thread waits for memory, nothing is read, though a third would be free. */
  @Test
  @Timeout(60)
  void aThreadThatLacksMemoryGoesFirst() {
    addSpilled(1);
    CompletableFuture<MemoryBuffer> allocated;
    try (MemoryBuffer inUse = pool.allocate(LIMIT / 2)) {
      allocated = allocateAndWait(LIMIT / 4 * 3);
      batches.get(0).prefetch();
      runReads();
      assertEquals(List.of(), inMemory(), "beside " + inUse.lengthInBytes() + " bytes");
    }
    allocated.join().close();
    readUntil(1);
  }

  /** What counts as read ahead is what the reads have charged: dictionaries are shared. */
  @Test
  void sharedDictionariesCountOnce() {
    content.close();
    Schema strings = RandomBatches.schemaOf(List.of(PrimitiveType.STRING));
    content = random.batch(strings, 4000, NullPattern.NONE, ColumnEncoding.DICTIONARY, sources);
    addSpilled(4);
    long dictionaryBytes = batches.get(0).bytesToReadBack() - batchBytes();
    assertTrue(dictionaryBytes > 0, "no dictionary is stored");
    batches.forEach(SpillableBatch::prefetch);
    runReads();
    assertEquals(4, inMemory().size());
    assertEquals(4 * batchBytes(), pool.allocatedBytes(), "the dictionary is in memory already");
    long idleExcess = -(long) (LIMIT * 0.6);
    try (MemoryBuffer inUse = pool.allocate(64 << 10)) {
      assertEquals(idleExcess + inUse.lengthInBytes(), controller.excessBytes());
    }
    assertEquals(idleExcess, controller.excessBytes());
  }

  /** A request that found its batch taken is tried again when the take fails. */
  @Test
  void aRequestOutlastsAFailedTake() {
    addSpilled(1);
    SpillableBatch batch = batches.get(0);
    batch.prefetch();
    inStore =
        () -> {
          runReads();
          readFails = true;
        };
    assertThrows(EngineException.class, () -> batch.take(pool));
    readFails = false;
    runReads();
    assertEquals(List.of(0), inMemory());
  }

  /** A failed deletion reaches the user of a batch, and leaves neither memory nor a reader. */
  @Test
  void aFailedDeletionLeavesNothing() {
    addSpilled(2);
    batches.forEach(SpillableBatch::prefetch);
    runReads();
    deleteFails = true;
    assertThrows(IllegalStateException.class, () -> batches.get(0).read(pool));
    assertEquals(SpillableBatch.State.IDLE, batches.get(0).state());
    assertThrows(IllegalStateException.class, () -> batches.get(1).take(pool));
    assertEquals(SpillableBatch.State.GONE, batches.get(1).state());
    deleteFails = false;
    assertEquals(1, controller.batchCount());
    assertEquals(batchBytes(), pool.allocatedBytes());
  }

  /** Without memory for a thread nothing is read, and the thread that frees memory continues. */
  @Test
  void aThreadThatCannotStartHarmsNothing() {
    addSpilled(1);
    controller.prefetchOn(
        work -> {
          throw new OutOfMemoryError("injected: no thread");
        });
    batches.get(0).prefetch();
    batches.get(0).prefetch();
    pool.allocate(64).close();
    assertEquals(List.of(), inMemory());
    controller.prefetchOn(threads::add);
    runReads();
    assertEquals(List.of(0), inMemory());
  }

  /** A batch that is taken under a lock leaves its store later. */
  @Test
  void aTakenBatchIsDeletedByClose() {
    addSpilled(1);
    SpillableBatch batch = batches.get(0);
    assertNull(batch.takeIfInMemory());
    batch.prefetch();
    runReads();
    try (RecordBatch taken = batch.takeIfInMemory()) {
      assertBatchEquals(content, taken);
    }
    assertEquals(0, controller.batchCount());
    assertTrue(disk.storedBytes() > 0);
    batch.close();
    assertEquals(0, disk.storedBytes());
  }

  /** A device above the pool; closed before it. */
  private final class Above implements AutoCloseable {
    private final TestingDevice engine = new TestingDevice();
    private final DeviceBatches onDevice = new DeviceBatches(engine);
    private final MemoryPool device = MemoryPools.over("device", LIMIT, engine);
    private final HostSpillStore hosted = new HostSpillStore(pool, controller, engine);
    private final List<SpillableBatch> moved = new ArrayList<>();
    private final SpillController above =
        new SpillController(device, List.of(hosted), new PlanOrderEviction(), 0.8, 0.6);

    Above() {
      above.prefetchOn(threads::add);
    }

    /** Adds batches, all of which are on the host afterwards. */
    void addSpilled(int count) {
      for (int i = 0; i < count; i++) {
        try (RecordBatch copy = copy(sources)) {
          SpillableBatch added = above.add(onDevice.toDevice(copy, device, true), FAR);
          moved.add(added);
          above.makeRoom(() -> added.isInMemory() ? 1 : 0);
        }
      }
      assertEquals(0, device.allocatedBytes());
    }

    long inMemory() {
      return moved.stream().filter(SpillableBatch::isInMemory).count();
    }

    @Override
    public void close() {
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

  /** A batch of the device comes up from disk over the host, each tier as its memory allows. */
  @Test
  void comesUpThroughBothTiers() {
    try (Above tier = new Above()) {
      tier.addSpilled(8);
      controller.makeRoom(() -> pool.allocatedBytes());
      assertEquals(0, pool.allocatedBytes());
      try (MemoryBuffer inUse = tier.device.allocate(LIMIT / 2)) {
        assertEquals(MemoryTier.DEVICE, inUse.tier());
        tier.moved.forEach(SpillableBatch::prefetch);
        runReads();
        assertEquals(2, tier.inMemory());
        assertEquals(8 * batchBytes(), pool.allocatedBytes(), "all are on the host");
      }
      runReads();
      assertEquals(8, tier.inMemory());
    }
  }

  /** A batch that the device asks for while it leaves the host is read when the host keeps it. */
  @Test
  void aRequestOutlastsAFailedMoveOfTheHost() {
    try (Above tier = new Above()) {
      tier.addSpilled(1);
      inStore =
          () -> {
            tier.moved.get(0).prefetch();
            runReads();
            readFails = true;
          };
      assertThrows(EngineException.class, () -> controller.makeRoom(() -> pool.allocatedBytes()));
      readFails = false;
      assertEquals(0, tier.inMemory());
      runReads();
      assertEquals(1, tier.inMemory());
    }
  }
}
