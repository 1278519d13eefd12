package io.ariadne.spill;

import static io.ariadne.columnar.testing.BatchAssertions.assertBatchEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.MemoryBuffer;
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
import io.ariadne.memory.Reservation;
import io.ariadne.memory.testing.Await;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import io.ariadne.spill.fuzz.FaultyMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TestSpillController {
  private static final long LIMIT = 1 << 20;
  private static final long SMALL_LIMIT = 200 << 10;
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.STRING));
  private static final Schema LONGS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));
  private static final SpillPlacement NEAR = SpillPlacement.at(0, true);
  private static final SpillPlacement FAR = SpillPlacement.at(SpillPlacement.NEAR + 1, true);

  @TempDir private Path folder;

  private final RandomBatches random = RandomBatches.create();

  /** How many of the next requests the operating system refuses. */
  private final AtomicInteger refusals = new AtomicInteger();

  private MemoryPool pageMemory;
  private MemoryPool sources;
  private MemoryPool pool;
  private PagePool pages;
  private DiskSpillStore disk;
  private SpillController controller;
  private final ObservedEviction eviction = new ObservedEviction();

  @BeforeEach
  void open() {
    pageMemory = MemoryPools.host("pages", 64 << 20, true);
    sources = MemoryPools.host("expected", 64 << 20, true);
    pool =
        MemoryPools.over(
            "host",
            LIMIT,
            new FaultyMemory(
                MemoryPools.hostSource(),
                kind -> refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0));
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 3, 6);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
  }

  private void start(double high, double low, SpillStore... stores) {
    controller = new SpillController(pool, List.of(stores), eviction, high, low);
  }

  @AfterEach
  void close() {
    if (controller != null) {
      controller.close();
    }
    assertEquals(0, disk.storedBytes());
    disk.close();
    pages.close();
    pageMemory.close();
    sources.close();
    pool.close();
  }

  private RecordBatch longs(int kib) {
    return random.batch(LONGS, kib * 128, NullPattern.NONE, pool);
  }

  private void awaitCharge(long atMost) {
    Await.until(() -> pool.allocatedBytes() <= atMost);
  }

  /** Waits until a thread waits for memory of the pool. */
  private void awaitWaiter() {
    Await.untilWaiting(1, wait -> wait.toString().contains("bytes of pool " + pool.name()));
  }

  /** Batches go before an allocation is refused, and not more than to the low mark. */
  @Test
  void movesDownToTheLowMark() throws InterruptedException {
    start(0.8, 0.6, disk);
    List<SpillableBatch> batches = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      batches.add(controller.add(longs(64), FAR));
    }
    assertEquals(0, controller.movedBatches());
    batches.add(controller.add(longs(64), FAR));
    awaitCharge((long) (LIMIT * 0.6));
    assertTrue(pool.allocatedBytes() > LIMIT * 0.6 - 2 * (64 << 10), pool.state());
    batches.forEach(SpillableBatch::close);
  }

  /** A queue whose first choices fail. */
  private static final class FailingQueue implements EvictionQueue {
    private final EvictionQueue queue = new PlanOrderEviction().newQueue();
    private final AtomicInteger failing;

    FailingQueue(AtomicInteger failing) {
      this.failing = failing;
    }

    @Override
    public void add(SpillableBatch batch) {
      queue.add(batch);
    }

    @Override
    public void remove(SpillableBatch batch) {
      queue.remove(batch);
    }

    @Override
    public List<SpillableBatch> chooseVictims(long bytesWanted, boolean takesNear) {
      if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new OutOfMemoryError("planned");
      }
      return queue.chooseVictims(bytesWanted, takesNear);
    }
  }

  /** An error while memory is freed, such as a full heap, does not end the thread. */
  @Test
  void continuesAfterErrors() throws InterruptedException {
    AtomicInteger failing = new AtomicInteger(2);
    EvictionPolicy policy = () -> new FailingQueue(failing);
    controller = new SpillController(pool, List.of(disk), policy, 0.8, 0.6);
    List<SpillableBatch> batches = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      batches.add(controller.add(longs(64), FAR));
    }
    awaitCharge((long) (LIMIT * 0.6));
    assertEquals(0, failing.get());
    batches.forEach(SpillableBatch::close);
  }

  /** The limit allows the allocation, but the operating system has no memory. */
  @Test
  void movesBatchesWhenTheSourceRefuses() {
    start(1, 1, disk);
    List<SpillableBatch> batches = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      batches.add(controller.add(longs(64), i == 0 ? NEAR : FAR));
    }
    refusals.set(2);
    pool.allocate(100 << 10).close();
    assertEquals(2, controller.movedBatches());
    refusals.set(2);
    pool.allocate(1 << 10).close();
    assertEquals(3, controller.movedBatches());
    refusals.set(2);
    pool.allocate(1 << 10).close();
    assertEquals(4, controller.movedBatches(), "batches that are needed soon go, too");
    batches.forEach(SpillableBatch::close);
  }

  /** Batches that are needed soon stay until a thread lacks memory. */
  @Test
  void keepsNearBatchesAboveTheHighMark() throws InterruptedException {
    start(0.5, 0.25, disk);
    List<SpillableBatch> batches = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      batches.add(controller.add(longs(64), i < 4 ? FAR : NEAR));
    }
    awaitCharge(10 * (64 << 10));
    int empty = eviction.emptyChoices();
    Await.until(() -> eviction.emptyChoices() > empty);
    assertEquals(4, controller.movedBatches());
    pool.allocate(768 << 10).close();
    assertTrue(controller.movedBatches() > 4);
    batches.forEach(SpillableBatch::close);
  }

  /** The controller moves batches for a waiting reservation. */
  @Test
  void freesMemoryForAReservation() throws InterruptedException {
    start(1, 1, disk);
    List<SpillableBatch> batches = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      batches.add(controller.add(longs(64), SpillPlacement.at(i, true)));
    }
    try (Reservation task = pool.reserve("task", 600 << 10, 10_000)) {
      MemoryBuffer buffer = task.allocate(600 << 10);
      assertTrue(controller.movedBatches() <= 10, controller.movedBatches() + " moved");
      assertEquals(SpillableBatch.State.IDLE, batches.get(0).state());
      assertEquals(0, batches.get(0).bytesToReadBack());
      assertTrue(batches.get(14).bytesToReadBack() > 0, "the furthest goes first");
      buffer.close();
    }
    batches.forEach(SpillableBatch::close);
  }

  /** The allocating thread moves batches itself. */
  @Test
  void freesMemoryForAnAllocation() {
    start(1, 1, disk);
    List<SpillableBatch> batches = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      batches.add(controller.add(longs(64), SpillPlacement.at(i, true)));
    }
    pool.allocate(256 << 10).close();
    assertTrue(controller.movedBatches() >= 4, controller.movedBatches() + " moved");
    batches.forEach(SpillableBatch::close);
  }

  /** No batch may be moved, but another thread frees memory in time. */
  @Test
  void waitsUntilAnotherThreadFreesMemory() throws Exception {
    start(1, 1, disk);
    MemoryBuffer held = pool.allocate(768 << 10);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<MemoryBuffer> waits = threads.submit(() -> pool.allocate(512 << 10));
      awaitWaiter();
      assertFalse(waits.isDone());
      held.close();
      waits.get().close();
    } finally {
      threads.shutdownNow();
    }
  }

  /** Threads wait for each other: the latest gives up, so that the earlier ones continue. */
  @Test
  void refusesTheLatestOfThreadsThatWaitForEachOther() throws Exception {
    start(1, 1, disk);
    MemoryBuffer first = pool.allocate(512 << 10);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<MemoryBuffer> waits = threads.submit(() -> pool.allocate(768 << 10));
      awaitWaiter();
      assertThrows(EngineException.class, () -> pool.allocate(640 << 10));
      assertFalse(waits.isDone());
      first.close();
      waits.get().close();
    } finally {
      threads.shutdownNow();
    }
  }

  /** Allocations of other threads do not keep a thread waiting for ever. */
  @Test
  void endsAWaitAlthoughOtherThreadsContinue() throws Exception {
    start(1, 1, disk);
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    MemoryBuffer held = pool.allocate(512 << 10);
    try {
      Future<?> busy =
          threads.submit(
              () -> {
                while (!ended.get()) {
                  pool.allocate(64).close();
                }
              });
      assertThrows(EngineException.class, () -> pool.allocate(640 << 10));
      ended.set(true);
      busy.get();
    } finally {
      ended.set(true);
      threads.shutdownNow();
      held.close();
    }
  }

  /** A refusal although batches are in memory says why they cannot move. */
  @Test
  void refusalSaysWhyNoBatchMoves() throws InterruptedException {
    DiskSpillOptions none = DiskSpillOptions.in(List.of(folder)).withLimit(0);
    try (DiskSpillStore full = new DiskSpillStore(none, pages)) {
      start(1, 1, full);
      try (SpillableBatch held = controller.add(longs(256), NEAR)) {
        EngineException refusal =
            assertThrows(EngineException.class, () -> pool.allocate(896 << 10));
        assertEquals(ErrorCode.OUT_OF_MEMORY, refusal.code());
        assertTrue(refusal.getMessage().contains("cannot spill"), refusal.getMessage());
        // The controller's thread, woken by the refusal, tries it once more.
        Await.until(() -> held.state() == SpillableBatch.State.IDLE);
      }
      controller.close();
    }
  }

  /** A batch is read back although memory is full of batches that may go. */
  @Test
  void freesMemoryForReadingBack() {
    start(1, 1, disk);
    List<SpillableBatch> batches = new ArrayList<>();
    for (int i = 0; i < 48; i++) {
      batches.add(controller.add(longs(64), NEAR));
    }
    for (SpillableBatch batch : batches) {
      batch.read(pool);
      batch.unread();
    }
    assertTrue(controller.movedBatches() >= 48, controller.movedBatches() + " moved");
    batches.forEach(SpillableBatch::close);
  }

  private long makeRoom(long bytes) {
    long target = pool.allocatedBytes() - bytes;
    return controller.makeRoom(() -> pool.allocatedBytes() - target);
  }

  /** A waiting reservation gets the memory of a batch whose last reader ends. */
  @Test
  void waitsForTheEndOfARead() throws Exception {
    start(1, 1, disk);
    SpillableBatch batch = controller.add(longs(256), NEAR);
    batch.read(pool);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      int empty = eviction.emptyChoices();
      Future<?> waits = threads.submit(() -> pool.reserve("waits", 896 << 10, 60_000));
      Await.until(() -> pool.shortfall() > 0 && eviction.emptyChoices() > empty);
      assertTrue(!waits.isDone());
      batch.unread();
      ((Reservation) waits.get()).close();
    } finally {
      threads.shutdown();
    }
    batch.close();
  }

  /** A waiting reservation gets the memory of a new batch, below the high mark, too. */
  @Test
  void waitsForANewBatch() throws Exception {
    start(1, 1, disk);
    RecordBatch content = longs(256);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      int empty = eviction.emptyChoices();
      Future<?> waits = threads.submit(() -> pool.reserve("waits", 896 << 10, 60_000));
      Await.until(() -> pool.shortfall() > 0 && eviction.emptyChoices() > empty);
      SpillableBatch batch = controller.add(content, NEAR);
      ((Reservation) waits.get()).close();
      batch.close();
    } finally {
      threads.shutdown();
    }
  }

  /** At most one batch more is moved than was requested. */
  @Test
  void movesAtMostOneBatchTooMany() {
    start(1, 1, disk);
    List<SpillableBatch> batches = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      batches.add(controller.add(longs(64), NEAR));
    }
    long size = batches.get(0).freeableBytes();
    assertEquals(3 * size, makeRoom(2 * size + 1));
    assertEquals(0, makeRoom(0));
    assertEquals(2 * size, makeRoom(2 * size));
    assertEquals(5 * size, pool.allocatedBytes());
    assertEquals(5 * size, makeRoom(1L << 40));
    assertEquals(10, controller.movedBatches());
    batches.forEach(SpillableBatch::close);
  }

  /** A full store is an error for the caller, and nothing is lost. */
  @Test
  void failsWhenTheStoreIsFull() {
    DiskSpillStore small =
        new DiskSpillStore(DiskSpillOptions.in(List.of(folder)).withLimit(100 << 10), pages);
    start(1, 1, small);
    List<SpillableBatch> batches = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      batches.add(controller.add(longs(64), NEAR));
    }
    assertEquals(batches.get(0).freeableBytes(), makeRoom(1));
    EngineException full = assertThrows(EngineException.class, () -> makeRoom(1));
    assertEquals(ErrorCode.OUT_OF_MEMORY, full.code());
    for (SpillableBatch batch : batches) {
      assertEquals(SpillableBatch.State.IDLE, batch.state());
      batch.take(pool).close();
    }
    small.close();
  }

  /** When the first store is full, batches go to the next. */
  @Test
  void usesTheNextStoreWhenOneIsFull() {
    DiskSpillStore small =
        new DiskSpillStore(DiskSpillOptions.in(List.of(folder)).withLimit(70 << 10), pages);
    start(1, 1, small, disk);
    List<SpillableBatch> batches = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      batches.add(controller.add(longs(64), NEAR));
    }
    for (int i = 0; i < 4; i++) {
      assertTrue(makeRoom(1) > 0);
    }
    assertTrue(small.storedBytes() > 0);
    assertTrue(disk.storedBytes() > 0);
    batches.forEach(batch -> batch.take(pool).close());
    small.close();
  }

  /**
   * Threads create, read, take and close batches and wait for memory. All batches together are a
   * multiple of the limit, and every tenth call of the store fails.
   */
  @Test
  void survivesRandomSteps() throws Exception {
    int cases = Integer.getInteger("ariadne.test.cases", 3);
    long moved = 0;
    for (int round = 0; round < cases; round++) {
      moved += runRandomly(random.seed() + round);
    }
    assertTrue(moved > 10 * cases, moved + " batches moved");
  }

  /** Returns how many batches moved. */
  private long runRandomly(long seed) throws Exception {
    pool.close();
    pool = MemoryPools.host("host", SMALL_LIMIT, true);
    Random faults = new Random(seed);
    start(0.8, 0.6, new FaultySpillStore(disk, () -> chance(faults)));
    List<RecordBatch> expected = new ArrayList<>();
    RandomBatches values = new RandomBatches(seed);
    for (int i = 0; i < 8; i++) {
      ColumnEncoding encoding = ColumnEncoding.values()[i % ColumnEncoding.values().length];
      int rows = values.random().nextInt(1500);
      expected.add(values.batch(SCHEMA, rows, NullPattern.SOME, encoding, sources));
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        Random choice = new Random(seed * 31 + t);
        all.add(threads.submit(() -> new Worker(choice, expected).run()));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdown();
      expected.forEach(RecordBatch::close);
    }
    long moved = controller.movedBatches();
    controller.close();
    controller = null;
    assertEquals(0, pool.allocatedBytes(), "seed " + seed);
    assertEquals(0, disk.storedBytes(), "seed " + seed);
    return moved;
  }

  private static boolean chance(Random faults) {
    synchronized (faults) {
      return faults.nextInt(10) == 0;
    }
  }

  /** One thread of the random test. */
  private final class Worker {
    private final Random choice;
    private final List<RecordBatch> expected;
    private final List<SpillableBatch> batches = new ArrayList<>();
    private final List<RecordBatch> contents = new ArrayList<>();

    Worker(Random choice, List<RecordBatch> expected) {
      this.choice = choice;
      this.expected = expected;
    }

    void run() {
      for (int step = 0; step < 150; step++) {
        try {
          step();
        } catch (EngineException e) {
          assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), e.getMessage());
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        assertTrue(pool.allocatedBytes() <= SMALL_LIMIT);
      }
      batches.forEach(SpillableBatch::close);
    }

    private void step() throws InterruptedException {
      if (batches.size() < 4 || choice.nextInt(3) == 0) {
        add();
        return;
      }
      int chosen = choice.nextInt(batches.size());
      switch (choice.nextInt(4)) {
        case 0 -> {
          try (RecordBatch taken = batches.get(chosen).take(pool)) {
            assertBatchEquals(contents.get(chosen), taken);
          }
          forget(chosen);
        }
        case 1 -> {
          assertBatchEquals(contents.get(chosen), batches.get(chosen).read(pool));
          batches.get(chosen).unread();
        }
        case 2 -> {
          batches.get(chosen).close();
          forget(chosen);
        }
        default -> pool.reserve("worker", choice.nextInt((int) SMALL_LIMIT / 4), 200).close();
      }
    }

    private void add() {
      RecordBatch content = expected.get(choice.nextInt(expected.size()));
      int rows = content.rowCount();
      RecordBatch copy = new RowRange(0, rows).copyOf(content, pool, 0);
      SpillPlacement placement = SpillPlacement.at(choice.nextInt(5), choice.nextBoolean());
      batches.add(controller.add(copy, placement));
      contents.add(content);
    }

    private void forget(int index) {
      batches.remove(index);
      contents.remove(index);
    }
  }

  /** Nothing else would end the wait within the time of this test. */
  @Test
  @Timeout(60)
  void lossEndsWaitsForMemory() throws Exception {
    WaitTimes patient = new WaitTimes(Duration.ofHours(1), Duration.ofHours(1), Duration.ZERO);
    controller =
        new SpillController(pool, List.of(disk), new PlanOrderEviction(), 0.8, 0.6, patient);
    MemoryBuffer inUse = pool.allocate(768 << 10);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    Future<MemoryBuffer> waits = threads.submit(() -> pool.allocate(512 << 10));
    awaitWaiter();
    controller.lose("the device is gone");
    ExecutionException refused = assertThrows(ExecutionException.class, waits::get);
    assertEquals("the device is gone", refused.getCause().getMessage());
    assertEquals(ErrorCode.DEVICE_LOST, ((EngineException) refused.getCause()).code());
    threads.shutdown();
    inUse.close();
  }

  /** When a device is lost, batches stay where they are, and requests do not wait. */
  @Test
  void movesNothingOutOfLostMemory() {
    start(0.9, 0.5, disk);
    long nearlyAll = LIMIT - (32 << 10);
    SpillableBatch kept = controller.add(longs(64), FAR);
    controller.lose("the device is lost");
    EngineException refused = assertThrows(EngineException.class, () -> pool.allocate(nearlyAll));
    assertEquals(ErrorCode.DEVICE_LOST, refused.code());
    assertEquals("the device is lost", refused.getMessage());
    controller.lose("again");
    assertEquals(
        "the device is lost",
        assertThrows(EngineException.class, () -> controller.makeRoom(() -> 1)).getMessage());
    assertEquals(0, controller.movedBytes());
    assertEquals(0, disk.storedBytes());
    kept.close();
    pool.allocate(nearlyAll).close();
    assertEquals(0, pool.allocatedBytes());
  }
}
