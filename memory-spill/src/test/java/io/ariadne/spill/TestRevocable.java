package io.ariadne.spill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.WaitKind;
import io.ariadne.event.WorkOwner;
import io.ariadne.event.WorkPermit;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.memory.Reservation;
import io.ariadne.memory.ThreadUse;
import io.ariadne.memory.testing.Await;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestRevocable {
  private static final long LIMIT = 1 << 20;
  private static final Schema LONGS = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));
  private static final SpillPlacement NEAR = SpillPlacement.at(0, true);
  private static final SpillPlacement FAR = SpillPlacement.at(SpillPlacement.NEAR + 1, true);

  /** Bytes that a table allocates while it is revoked. */
  private static final int COPY_BYTES = 128 << 10;

  @TempDir private Path folder;

  private final RandomBatches random = RandomBatches.create();
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private MemoryPool pageMemory;
  private MemoryPool pool;
  private PagePool pages;
  private DiskSpillStore disk;
  private SpillController controller;

  @BeforeEach
  void open() {
    pageMemory = MemoryPools.host("pages", 64 << 20, true);
    pool = MemoryPools.host("host", LIMIT, true);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 3, 6);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
    controller = new SpillController(pool, List.of(disk), new PlanOrderEviction(), 1, 1);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    controller.close();
    assertEquals(0, disk.storedBytes());
    disk.close();
    pages.close();
    pageMemory.close();
    pool.close();
  }

  /** Creates a batch that takes exactly so many bytes, also while it is created. */
  private static RecordBatch longs(MemoryPool pool, int kib) {
    int rows = kib * 128;
    MemoryBuffer data = pool.allocateZeroed(rows * 8L);
    ColumnVector column =
        ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, rows, data, null);
    return new RecordBatch(LONGS, rows, List.of(column), 0);
  }

  /** A table: memory in use that becomes a spillable batch when it is revoked. */
  private final class Table implements Revocable.Holder, AutoCloseable {
    final Revocable revocable;
    final List<SpillableBatch> runs = new ArrayList<>();
    private RecordBatch content;
    int refusals;
    int copyBytes;
    private boolean refuses;

    Table(SpillPlacement placement) {
      revocable = controller.revocable(placement, this);
    }

    /** Uses the table: it holds so many KiB more. */
    void grow(int kib) {
      revocable.begin();
      add(kib);
      revocable.end(bytes());
    }

    private void add(int kib) {
      RecordBatch more = longs(pool, kib);
      if (content != null) {
        content.close();
      }
      content = more;
    }

    long bytes() {
      return content == null ? 0 : content.ownSizeInBytes();
    }

    @Override
    public void revoke() {
      if (refuses) {
        refusals++;
        throw new EngineException(ErrorCode.OUT_OF_MEMORY, "not now");
      }
      pool.allocate(copyBytes).close();
      runs.add(controller.add(content, FAR));
      content = null;
    }

    @Override
    public void close() {
      revocable.close();
      runs.forEach(SpillableBatch::close);
      if (content != null) {
        content.close();
      }
    }
  }

  /** A thread that lacks memory revokes idle memory, the one needed last first. */
  @Test
  void revokesIdleMemoryAtOnce() {
    try (Table near = new Table(NEAR);
        Table far = new Table(FAR)) {
      near.grow(384);
      far.grow(384);
      pool.allocate(512 << 10).close();
      assertEquals(0, near.runs.size());
      assertEquals(1, far.runs.size());
      pool.allocate(896 << 10).close();
      assertEquals(1, near.runs.size());
    }
  }

  /** Distant batches go first, then idle memory, then near batches. */
  @Test
  void revokesInOrderOfUse() {
    try (Table table = new Table(FAR);
        SpillableBatch near = controller.add(longs(pool, 256), NEAR);
        SpillableBatch far = controller.add(longs(pool, 256), FAR)) {
      table.grow(384);
      pool.allocate(256 << 10).close();
      assertTrue(far.bytesToReadBack() > 0);
      assertEquals(0, table.runs.size());
      pool.allocate(512 << 10).close();
      assertEquals(1, table.runs.size());
      assertEquals(0, near.bytesToReadBack());
      pool.allocate(1024 << 10).close();
      assertTrue(near.bytesToReadBack() > 0);
    }
  }

  /** When memory is nearly full and no thread lacks it, near batches stay. */
  @Test
  void keepsNearBatchesUntilAThreadLacksMemory() throws Exception {
    MemoryPool other = MemoryPools.host("other", LIMIT, true);
    try (SpillController watching =
        new SpillController(other, List.of(disk), new PlanOrderEviction(), 0.5, 0.25)) {
      SpillableBatch near = watching.add(longs(other, 400), NEAR);
      MemoryBuffer table = other.allocate(500 << 10);
      CountDownLatch putAway = new CountDownLatch(1);
      Revocable used =
          watching.revocable(
              FAR,
              () -> {
                table.close();
                putAway.countDown();
              });
      used.begin();
      used.end(500 << 10);
      assertTrue(putAway.await(30, TimeUnit.SECONDS));
      assertEquals(0, near.bytesToReadBack());
      used.close();
      near.close();
    }
    other.close();
  }

  /** A pool whose charge exceeds its limit has no available bytes. */
  @Test
  void offersNoMemoryAboveTheLimit() {
    pool.keepReserve(COPY_BYTES);
    MemoryBuffer most = pool.allocate(LIMIT);
    boolean before = ThreadUse.current().putAway(true);
    MemoryBuffer beyond = pool.allocate(COPY_BYTES);
    assertEquals(0, pool.availableBytes());
    ThreadUse.current().putAway(before);
    assertEquals(0, pool.availableBytes());
    pool.allocate(0).close();
    pool.secure("nothing", 0).close();
    try (Reservation none = pool.tryReserve("nothing", 0)) {
      assertTrue(none.tryGrow(0));
      assertFalse(none.tryGrow(1));
    }
    beyond.close();
    most.close();
  }

  /** The pool's reserve allows a revocation when nothing is free. */
  @Test
  void revokesWithTheReserve() {
    MemoryBuffer held = pool.allocate(256 << 10);
    try (Table table = new Table(NEAR)) {
      table.copyBytes = COPY_BYTES;
      table.grow(768);
      assertThrows(EngineException.class, () -> pool.allocate(512 << 10));
      assertEquals(0, table.runs.size(), "revoked without memory for that");
      pool.keepReserve(COPY_BYTES);
      pool.allocate(512 << 10).close();
      assertEquals(1, table.runs.size());
      assertTrue(pool.peakBytes() > LIMIT, "nothing of the reserve was used");
    }
    MemoryBuffer remainder = pool.allocate(LIMIT - (256 << 10));
    assertThrows(EngineException.class, () -> pool.allocate(64), "the reserve is not for all");
    remainder.close();
    held.close();
  }

  /** The holder revokes memory in use at the end of the use. */
  @Test
  void revokesMemoryInUseAtTheEndOfTheUse() throws Exception {
    try (Table table = new Table(NEAR)) {
      table.grow(768);
      table.revocable.begin();
      Future<MemoryBuffer> waits = threads.submit(() -> pool.allocate(512 << 10));
      Await.until(table.revocable::isWanted);
      assertFalse(waits.isDone());
      assertEquals(0, table.runs.size());
      table.revocable.end(table.bytes());
      waits.get().close();
      assertEquals(1, table.runs.size());
      assertFalse(table.revocable.isWanted());
    }
  }

  /** The holder revokes memory in its first use, whose size is unknown, at the end of the use. */
  @Test
  void revokesMemoryOfUnknownSizeAtTheEndOfTheUse() throws Exception {
    try (Table table = new Table(NEAR)) {
      table.revocable.begin();
      table.add(768);
      Future<MemoryBuffer> waits = threads.submit(() -> pool.allocate(512 << 10));
      Await.until(() -> table.revocable.isWanted() || waits.isDone());
      table.revocable.end(table.bytes());
      waits.get().close();
      assertEquals(1, table.runs.size());
    }
  }

  /** A waiting thread gets memory at once whose use ends. */
  @Test
  void endOfAUseWakesAWaitingThread() throws Exception {
    MemoryPool other = MemoryPools.host("other", LIMIT, true);
    WaitTimes endless =
        new WaitTimes(Duration.ofMinutes(10), Duration.ofMinutes(10), Duration.ZERO);
    try (SpillController patient =
        new SpillController(other, List.of(disk), new PlanOrderEviction(), 1, 1, endless)) {
      MemoryBuffer held = other.allocate(768 << 10);
      Future<MemoryBuffer> waits = threads.submit(() -> other.allocate(512 << 10));
      Await.untilPaused(each -> each.kind() == WaitKind.MEMORY);
      Revocable used = patient.revocable(NEAR, held::close);
      used.begin();
      used.end(768 << 10);
      waits.get(30, TimeUnit.SECONDS).close();
      used.close();
    }
    other.close();
  }

  /** A waiting thread gives up its permit until it continues. */
  @Test
  void waitingThreadGivesItsPermitUp() throws Exception {
    List<String> calls = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch left = new CountDownLatch(1);
    WorkPermit permit =
        new WorkPermit() {
          @Override
          public void giveBack() {
            calls.add("back");
            left.countDown();
          }

          @Override
          public void takeAgain() {
            calls.add("again");
          }
        };
    MemoryBuffer held = pool.allocate(768 << 10);
    Future<MemoryBuffer> waits =
        threads.submit(
            () -> {
              WorkPermit before = ThreadRecord.current().workBy(permit);
              try {
                return pool.allocate(512 << 10);
              } finally {
                ThreadRecord.current().workBy(before);
              }
            });
    assertTrue(left.await(30, TimeUnit.SECONDS));
    held.close();
    waits.get().close();
    for (int i = 0; i < calls.size(); i++) {
      assertEquals(i % 2 == 0 ? "back" : "again", calls.get(i));
    }
    assertEquals(0, calls.size() % 2);
  }

  /** Memory that the calling thread uses does not replace idle memory that can go at once. */
  @Test
  void revokesIdleMemoryAlthoughTheCallerHasMore() {
    try (Table own = new Table(NEAR);
        Table other = new Table(NEAR)) {
      own.grow(512);
      other.grow(256);
      own.revocable.begin();
      pool.allocate(384 << 10).close();
      assertEquals(1, other.runs.size());
      own.revocable.end(own.bytes());
    }
  }

  /** A holder without memory for a revocation keeps its memory; the allocation is refused. */
  @Test
  void refusesWhenTheHolderLacksMemory() {
    try (Table table = new Table(NEAR)) {
      table.grow(768);
      table.refuses = true;
      assertThrows(EngineException.class, () -> pool.allocate(512 << 10));
      assertTrue(table.refusals > 0);
      assertEquals(768 << 10, table.bytes());
      table.refuses = false;
      pool.allocate(512 << 10).close();
    }
  }

  /** The holder's next use throws the failure of a revocation by another thread. */
  @Test
  void throwsAFailureAtTheNextUse() {
    Revocable broken =
        controller.revocable(
            NEAR,
            () -> {
              throw new IllegalStateException("broken");
            });
    MemoryBuffer held = pool.allocate(768 << 10);
    broken.begin();
    broken.end(768 << 10);
    assertThrows(EngineException.class, () -> pool.allocate(512 << 10));
    assertThrows(IllegalStateException.class, broken::begin);
    broken.close();
    held.close();
  }

  /** A holder's code runs in the environment of its work, and may throw checked exceptions. */
  @Test
  void revokesInTheEnvironmentOfTheHolder() {
    Owner owner = new Owner();
    List<Integer> entered = new ArrayList<>();
    ThreadRecord thread = ThreadRecord.current();
    WorkOwner before = thread.workFor(owner);
    Revocable broken =
        controller.revocable(
            NEAR,
            () -> {
              entered.add(owner.entered);
              TestRevocable.<RuntimeException>sneak(new IOException("broken"));
            });
    MemoryBuffer held = pool.allocate(768 << 10);
    broken.begin();
    broken.end(768 << 10);
    assertThrows(EngineException.class, () -> pool.allocate(512 << 10));
    thread.workFor(before);
    assertThrows(IOException.class, broken::begin);
    broken.end(768 << 10);
    assertThrows(EngineException.class, () -> pool.allocate(512 << 10));
    assertThrows(IOException.class, broken::begin);
    assertEquals(0, owner.entered);
    assertTrue(entered.contains(0) && entered.contains(1), entered::toString);
    broken.close();
    held.close();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void sneak(Exception e) throws E {
    throw (E) e;
  }

  /** Counts how often it was entered and not left. */
  private static final class Owner implements WorkOwner {
    private int entered;

    @Override
    public void enter() {
      entered++;
    }

    @Override
    public void exit() {
      entered--;
    }

    @Override
    public String description() {
      return "a test";
    }

    @Override
    public long startNanos() {
      return 0;
    }

    @Override
    public void waited(int node, WaitKind kind, long nanos) {}

    @Override
    public void spilled(int node, long bytes, long diskBytes, long nanos) {}

    @Override
    public void readBack(int node, long bytes, long nanos) {}
  }

  /** The holder waits during a revocation by another thread, also when it closes. */
  @Test
  void useWaitsForARevocation() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    MemoryBuffer held = pool.allocate(768 << 10);
    Revocable slow =
        controller.revocable(
            NEAR,
            () -> {
              begun.countDown();
              try {
                goesOn.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              held.close();
            });
    slow.begin();
    slow.end(768 << 10);
    Future<MemoryBuffer> asks = threads.submit(() -> pool.allocate(512 << 10));
    begun.await();
    Future<?> uses = threads.submit(slow::begin);
    Future<?> closes = threads.submit(slow::close);
    Await.untilWaiting(2, each -> each.toString().contains("another thread that revokes"));
    assertFalse(uses.isDone() || closes.isDone());
    goesOn.countDown();
    asks.get().close();
    closes.get();
    try {
      uses.get();
    } catch (ExecutionException e) {
      // Closed before it could begin.
      assertEquals(IllegalStateException.class, e.getCause().getClass());
    }
  }

  /** Several tables grow in memory for a part of them, beside an idle table. */
  @Test
  void revokesManyTablesConcurrently() throws Exception {
    Table idle = new Table(FAR);
    idle.grow(832);
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Random choice = new Random(random.seed() + t);
      all.add(threads.submit(() -> growByChance(choice)));
    }
    for (Future<?> each : all) {
      each.get();
    }
    assertEquals(1, idle.runs.size());
    idle.close();
    assertEquals(0, pool.allocatedBytes());
    assertTrue(controller.movedBatches() > 0);
  }

  private void growByChance(Random choice) {
    try (Table table = new Table(SpillPlacement.at(choice.nextInt(3), true))) {
      int done = 0;
      for (int i = 0; i < 24; i++) {
        try {
          table.grow(1 + choice.nextInt(150));
          done++;
        } catch (EngineException e) {
          // The others have too much in use at this moment.
          assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
        }
      }
      assertTrue(done > 8, done + " of 24");
    }
  }
}
