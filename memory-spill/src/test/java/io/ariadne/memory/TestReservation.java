package io.ariadne.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.testing.Await;
import io.ariadne.memory.testing.PoolCheck;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TestReservation {
  private static final long LIMIT = 1 << 20;
  private static final long LONG_WAIT = 30_000;
  private static final int ROUNDS = 5_000;

  @RegisterExtension final PoolCheck memory = new PoolCheck(LIMIT);

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private static void awaitWaiters(MemoryPool pool, int count) {
    Await.until(() -> pool.queue().waiterCount() >= count);
  }

  @Test
  void chargesThePoolAtOnceAndSpendsWithin() throws Exception {
    MemoryPool pool = memory.pool();
    try (Reservation reservation = pool.reserve("task 1", 1000, 0)) {
      assertEquals(1024, reservation.reservedBytes());
      assertEquals(1024, pool.allocatedBytes());
      MemoryBuffer buffer = reservation.allocate(512);
      assertEquals(1024, pool.allocatedBytes());
      assertEquals(512, reservation.allocatedBytes());
      EngineException e = assertThrows(EngineException.class, () -> reservation.allocate(513));
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      assertTrue(e.getMessage().contains("task 1"), e.getMessage());
      buffer.close();
      reservation.allocate(1024).close();
      assertEquals(1024, reservation.peakBytes());
      assertEquals(1024, pool.allocatedBytes());
    }
    assertEquals(0, pool.allocatedBytes());
  }

  @Test
  void buffersOutliveTheReservation() throws Exception {
    MemoryPool pool = memory.pool();
    Reservation reservation = pool.reserve("task", 4096, 0);
    MemoryBuffer output = reservation.allocate(640);
    reservation.close();
    assertEquals(640, pool.allocatedBytes());
    assertThrows(IllegalStateException.class, reservation::close);
    assertThrows(IllegalStateException.class, () -> reservation.allocate(1));
    output.close();
    assertEquals(0, pool.allocatedBytes());
  }

  @Test
  void growsAndShrinks() throws Exception {
    MemoryPool pool = memory.pool();
    try (Reservation reservation = pool.reserve("task", 0, 0)) {
      assertTrue(reservation.tryGrow(LIMIT));
      assertFalse(reservation.tryGrow(1));
      assertThrows(EngineException.class, () -> reservation.grow(1, 5));
      assertEquals(LIMIT, reservation.reservedBytes());
      MemoryBuffer buffer = reservation.allocate(LIMIT / 2);
      assertEquals(LIMIT / 2, reservation.shrink(LIMIT));
      assertEquals(0, reservation.shrink(LIMIT));
      assertEquals(LIMIT / 2, pool.allocatedBytes());
      reservation.grow(100, 0);
      assertEquals(64, reservation.shrink(100));
      buffer.close();
    }
  }

  @Test
  void transferKeepsTheCharge() throws Exception {
    Reservation reservation = memory.pool().reserve("task", 4096, 0);
    Reservation same = reservation.transferTo("holder");
    assertEquals("holder", same.owner());
    assertEquals(4096, memory.pool().allocatedBytes());
    same.close();
  }

  @Test
  void waitsUntilMemoryIsFreed() throws Exception {
    MemoryPool pool = memory.pool();
    MemoryBuffer all = pool.allocate(LIMIT);
    assertNull(pool.tryReserve("eager", 64));
    Future<Reservation> waiting = threads.submit(() -> pool.reserve("waiter", LIMIT, LONG_WAIT));
    awaitWaiters(pool, 1);
    assertFalse(waiting.isDone());
    all.close();
    waiting.get().close();
  }

  @Test
  void freeingInASiblingWakesAWaiterForTheParentsBytes() throws Exception {
    MemoryPool left = memory.pool().newChild("left", LIMIT);
    MemoryPool right = memory.pool().newChild("right", LIMIT);
    MemoryBuffer all = left.allocate(LIMIT);
    Future<Reservation> waiting = threads.submit(() -> right.reserve("waiter", 64, LONG_WAIT));
    awaitWaiters(left, 1);
    all.close();
    waiting.get().close();
    left.close();
    right.close();
  }

  /**
   * A request that the parent refuses is charged to the child for an instant. When memory is freed
   * just then, the waiter does not fit; it must be asked again once the instant is over.
   */
  @Test
  void refusedAllocationDoesNotMakeAWaiterMissMemory() throws Exception {
    MemoryPool root = MemoryPools.host("root", 640, false);
    MemoryPool child = root.newChild("child", 448);
    MemoryBuffer others = root.allocate(384);
    AtomicBoolean over = new AtomicBoolean();
    List<Future<?>> greedy = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      greedy.add(
          threads.submit(
              () -> {
                while (!over.get()) {
                  assertThrows(EngineException.class, () -> child.allocate(320));
                }
              }));
    }
    for (int round = 0; round < ROUNDS; round++) {
      MemoryBuffer held = allocateBesideGreedyThreads(child);
      Future<Reservation> waiting = threads.submit(() -> child.reserve("waiter", 192, LONG_WAIT));
      awaitWaiters(child, 1);
      held.close();
      waiting.get(5, TimeUnit.SECONDS).close();
    }
    over.set(true);
    for (Future<?> one : greedy) {
      one.get();
    }
    others.close();
    child.close();
    root.close();
  }

  private static MemoryBuffer allocateBesideGreedyThreads(MemoryPool pool) {
    while (true) {
      try {
        return pool.allocate(192);
      } catch (EngineException refusedForAnInstant) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void refusalListsReservations() throws Exception {
    MemoryPool pool =
        MemoryPools.over("advised", LIMIT, MemoryPools.hostSource(), "raise the setting");
    try (Reservation holder = pool.reserve("join build of task 7", LIMIT, 0)) {
      long start = System.nanoTime();
      EngineException e =
          assertThrows(EngineException.class, () -> pool.reserve("scan of task 8", 128, 50));
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(millis >= 50, millis + " ms");
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      String message = e.getMessage();
      assertTrue(message.contains("scan of task 8 wants 128 bytes"), message);
      assertTrue(message.contains("not free within 50 ms"), message);
      assertTrue(message.contains("join build of task 7"), message);
      assertTrue(message.contains("reserved=" + holder.reservedBytes()), message);
      assertTrue(message.endsWith("raise the setting"), message);
      EngineException plain = assertThrows(EngineException.class, () -> pool.allocate(64));
      assertTrue(plain.getMessage().endsWith("; raise the setting"), plain.getMessage());
      MemoryPool child = pool.newChild("child", 64);
      EngineException below = assertThrows(EngineException.class, () -> child.allocate(65));
      assertTrue(below.getMessage().endsWith("; raise the setting"), below.getMessage());
      child.close();
    }
    pool.close();
  }

  @Test
  void impossibleRequestIsRefusedAtOnce() {
    MemoryPool child = memory.pool().newChild("child", Long.MAX_VALUE);
    EngineException e =
        assertThrows(EngineException.class, () -> child.reserve("task", LIMIT + 1, Long.MAX_VALUE));
    assertTrue(e.getMessage().contains("more than pool test may hold"), e.getMessage());
    child.close();
  }

  @Test
  void interruptedWaiterLeavesTheQueue() throws Exception {
    MemoryPool pool = memory.pool();
    MemoryBuffer all = pool.allocate(LIMIT);
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                pool.reserve("waiter", LIMIT, LONG_WAIT).close();
                ended.complete(null);
              } catch (InterruptedException e) {
                ended.complete(e);
              }
            });
    waiter.start();
    awaitWaiters(pool, 1);
    waiter.interrupt();
    assertTrue(ended.get() instanceof InterruptedException);
    all.close();
    Reservation next = pool.tryReserve("next", LIMIT);
    assertNotNull(next);
    next.close();
  }

  @Test
  void noRequestOvertakesInOnePool() throws Exception {
    MemoryPool pool = memory.pool();
    MemoryBuffer most = pool.allocate(LIMIT - 128);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    List<Future<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String name = "w" + i;
      long bytes = i == 0 ? LIMIT : 64;
      waiting.add(
          threads.submit(
              () -> {
                Reservation reservation = pool.reserve(name, bytes, LONG_WAIT);
                order.add(name);
                reservation.close();
                return null;
              }));
      awaitWaiters(pool, i + 1);
    }
    assertNull(pool.tryReserve("eager", 64), "128 bytes are free, but others wait");
    assertEquals(List.of(), order);
    most.close();
    for (Future<?> one : waiting) {
      one.get();
    }
    assertEquals("w0", order.get(0));
    assertEquals(4, order.size());
  }

  @Test
  void largeRequestIsNotStarvedBySmallOnesOfASibling() throws Exception {
    MemoryPool left = memory.pool().newChild("left", LIMIT);
    MemoryPool right = memory.pool().newChild("right", LIMIT);
    Reservation holder = right.reserve("holder", LIMIT / 2, 0);
    MemoryBuffer held = right.allocate(LIMIT / 4);
    Future<Reservation> large = threads.submit(() -> left.reserve("large", LIMIT / 2, LONG_WAIT));
    awaitWaiters(left, 1);
    assertNull(right.tryReserve("eager", 64), "it would take bytes that the large one waits for");
    Future<Reservation> small = threads.submit(() -> right.reserve("small", 64, LONG_WAIT));
    awaitWaiters(left, 2);
    assertTrue(holder.tryGrow(64), "the large one waits for what the holder has");
    holder.shrink(64);
    assertThrows(TimeoutException.class, () -> small.get(50, TimeUnit.MILLISECONDS));
    held.close();
    large.get().close();
    small.get().close();
    holder.close();
    left.close();
    right.close();
  }

  @Test
  void waitingReservationThatGrowsComesBeforeNewOnes() throws Exception {
    MemoryPool left = memory.pool().newChild("left", LIMIT);
    MemoryPool right = memory.pool().newChild("right", LIMIT);
    Reservation holder = right.reserve("holder", LIMIT / 2, 0);
    MemoryBuffer held = right.allocate(LIMIT / 2);
    Future<Reservation> large = threads.submit(() -> left.reserve("large", LIMIT, LONG_WAIT));
    awaitWaiters(left, 1);
    Future<?> growing =
        threads.submit(
            () -> {
              holder.grow(LIMIT / 2, LONG_WAIT);
              holder.close();
              return null;
            });
    awaitWaiters(left, 2);
    held.close();
    growing.get();
    large.get().close();
    left.close();
    right.close();
  }

  @Test
  void fullPoolDoesNotHoldUpItsSiblings() throws Exception {
    MemoryPool left = memory.pool().newChild("left", 128);
    MemoryPool right = memory.pool().newChild("right", LIMIT);
    MemoryBuffer all = left.allocate(128);
    Future<Reservation> waiting = threads.submit(() -> left.reserve("waiter", 64, LONG_WAIT));
    awaitWaiters(left, 1);
    right.reserve("other", LIMIT / 2, 0).close();
    all.close();
    waiting.get().close();
    left.close();
    right.close();
  }

  @Test
  void timedOutWaiterLetsLaterRequestsContinue() throws Exception {
    MemoryPool pool = memory.pool();
    MemoryBuffer most = pool.allocate(LIMIT - 128);
    Future<Reservation> large = threads.submit(() -> pool.reserve("large", LIMIT, 200));
    awaitWaiters(pool, 1);
    Future<Reservation> small = threads.submit(() -> pool.reserve("small", 64, LONG_WAIT));
    small.get().close();
    assertThrows(ExecutionException.class, large::get);
    most.close();
  }

  @Test
  void threadsNeverExceedTheLimit() throws Exception {
    int tasks = 16;
    int rounds = 400;
    CountingSource source = new CountingSource();
    MemoryPool root = MemoryPools.over("root", LIMIT, source);
    List<Future<?>> done = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      String owner = "task " + task;
      Random random = new Random(task);
      done.add(
          threads.submit(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  runTask(root, owner, random);
                }
                return null;
              }));
    }
    for (Future<?> one : done) {
      one.get();
    }
    assertTrue(source.highest.get() <= LIMIT, "highest " + source.highest.get());
    assertTrue(root.peakBytes() <= LIMIT);
    assertEquals(0, root.allocatedBytes());
    assertEquals(0, source.out.get());
    root.close();
  }

  /** Reserves, allocates, grows if that is possible at once, lets one buffer outlive the task. */
  private static void runTask(MemoryPool root, String owner, Random random)
      throws InterruptedException {
    MemoryBuffer output;
    try (Reservation reservation = root.reserve(owner, 64 + random.nextInt(300_000), LONG_WAIT)) {
      long half = reservation.reservedBytes() / 2;
      MemoryBuffer input = reservation.allocate(Math.max(0, half - 64));
      output = reservation.allocate(Math.max(0, half - 64));
      if (reservation.tryGrow(random.nextInt(50_000))) {
        reservation.allocate(64).close();
      }
      input.close();
      reservation.shrink(random.nextInt(1000));
    }
    output.close();
  }
}
