package io.ariadne.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.ThreadRecords;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.event.WorkPermit;
import io.ariadne.memory.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that the source of the memory refuses although the limit allows them. */
@Timeout(60)
class TestSourceRetries {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(500);

  private final CountingSource source = new CountingSource();
  private final MemoryPool pool = MemoryPools.over("p", 1024, source);

  @AfterEach
  void close() {
    source.refusals.set(0);
    assertEquals(0, source.out.get());
    pool.close();
  }

  @Test
  void repeatsARequest() {
    pool.retrySource(LONG);
    source.refusals.set(6);
    pool.allocate(100).close();
    assertEquals(0, source.refusals.get());
    try (MemoryPool child = pool.newChild("child", 512)) {
      source.refusals.set(6);
      child.allocate(100).close();
      assertEquals(0, source.refusals.get());
    }
  }

  @Test
  void refusalSaysHowOftenAndHowLong() {
    pool.retrySource(SHORT);
    source.exhausted = true;
    EngineException e = assertThrows(EngineException.class, () -> pool.allocate(100));
    assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
    assertTrue(
        e.getMessage().matches("no HOST memory.* asked \\d+ times in \\d+ ms; .*"), e::getMessage);
    assertTrue(source.requests.get() > 4, source.requests + " requests");
    assertEquals(0, pool.allocatedBytes());
    source.exhausted = false;
  }

  /** Idle memory goes first, then batches, also of the pools above. */
  @Test
  void freesMemoryBeforeARetry() {
    List<String> calls = new ArrayList<>();
    pool.addReclaimer(
        () -> {
          calls.add("reclaim");
          return 0;
        });
    pool.onPressure(1024, listener(calls, null));
    source.refusals.set(2);
    try (MemoryPool child = pool.newChild("child", 512)) {
      child.allocate(100).close();
    }
    assertEquals(List.of("reclaim", "move 128"), calls);
  }

  /** Without pauses there is one attempt after each way of freeing memory. */
  @Test
  void doesNotPauseByDefault() {
    source.refusals.set(3);
    assertThrows(EngineException.class, () -> pool.allocate(100));
    assertEquals(3, source.requests.get());
  }

  /** A thread that may hold what a move waits for moves nothing. */
  @Test
  void reservationMovesNothing() throws InterruptedException {
    List<String> calls = new ArrayList<>();
    pool.onPressure(1024, listener(calls, null));
    pool.retrySource(LONG);
    try (Reservation reservation = pool.reserve("task", 512, 0)) {
      source.refusals.set(6);
      reservation.allocate(100).close();
      assertEquals(List.of(), calls);
      source.refusals.set(2);
      ThreadUse.current().begin(reservation);
      pool.allocate(100).close();
      ThreadUse.current().end();
      assertEquals(List.of("move 128"), calls);
    }
  }

  @Test
  void refusalSaysWhyNothingMoves() {
    EngineException full = new EngineException(ErrorCode.OUT_OF_MEMORY, "all disks are full");
    pool.onPressure(1024, listener(new ArrayList<>(), full));
    pool.retrySource(SHORT);
    source.exhausted = true;
    EngineException e = assertThrows(EngineException.class, () -> pool.allocate(100));
    assertTrue(e.getMessage().contains("; all disks are full; pool p"), e::getMessage);
    source.exhausted = false;
  }

  @Test
  void failureOfAMoveLeavesNothingCharged() {
    EngineException broken = new EngineException(ErrorCode.INTERNAL, "the mover is broken");
    pool.onPressure(1024, listener(new ArrayList<>(), broken));
    source.exhausted = true;
    EngineException e = assertThrows(EngineException.class, () -> pool.allocate(100));
    assertEquals(broken, e);
    assertEquals(0, pool.allocatedBytes());
    source.exhausted = false;
  }

  /** A thread that revokes memory or moves batches for other threads does not wait. */
  @Test
  void threadsThatMayNotWaitDoNotPause() {
    pool.retrySource(LONG);
    source.exhausted = true;
    boolean before = ThreadUse.current().putAway(true);
    assertThrows(EngineException.class, () -> pool.allocate(100));
    ThreadUse.current().putAway(before);
    before = ThreadRecord.current().mayWait(false);
    assertThrows(EngineException.class, () -> pool.allocate(100));
    ThreadRecord.current().mayWait(before);
    source.exhausted = false;
  }

  /** Pauses are a breakable wait without the thread's work permit. */
  @Test
  void pausesAreARegisteredWait() throws Exception {
    List<String> places = new ArrayList<>();
    WorkPermit permit =
        new WorkPermit() {
          @Override
          public void giveBack() {
            places.add("back");
          }

          @Override
          public void takeAgain() {
            places.add("again");
          }
        };
    pool.retrySource(LONG);
    source.exhausted = true;
    CompletableFuture<Void> asks =
        CompletableFuture.runAsync(
            () -> {
              WorkPermit before = ThreadRecord.current().workBy(permit);
              try {
                pool.allocate(100).close();
              } finally {
                ThreadRecord.current().workBy(before);
              }
            });
    Wait wait = awaitWait();
    assertTrue(wait.toString().contains("128 bytes that pool p was refused"), wait::toString);
    wait.breakOff("the test says so");
    ExecutionException e = assertThrows(ExecutionException.class, asks::get);
    assertTrue(e.getMessage().contains("ended because the test says so"), e::getMessage);
    assertEquals(List.of("back", "again"), places.subList(0, 2));
    assertEquals(0, places.size() % 2);
    assertEquals(0, pool.allocatedBytes());
    source.exhausted = false;
  }

  @Test
  void interruptEndsThePausesAndStaysPending() {
    pool.retrySource(LONG);
    source.exhausted = true;
    Thread.currentThread().interrupt();
    EngineException e = assertThrows(EngineException.class, () -> pool.allocate(100));
    assertTrue(Thread.interrupted());
    assertTrue(e.getMessage().contains("interrupted"), e::getMessage);
    assertNull(ThreadRecord.current().currentWait());
    source.exhausted = false;
  }

  @Test
  void onlyRootPoolsRetry() {
    try (MemoryPool child = pool.newChild("child", 512)) {
      assertThrows(IllegalStateException.class, () -> child.retrySource(LONG));
    }
    assertThrows(IllegalArgumentException.class, () -> pool.retrySource(LONG.negated()));
  }

  private static Wait awaitWait() {
    Await.untilWaiting(1, each -> each.kind() == WaitKind.MEMORY);
    return ThreadRecords.waits().stream()
        .filter(each -> each.kind() == WaitKind.MEMORY)
        .findFirst()
        .orElseThrow();
  }

  private static PressureListener listener(List<String> calls, EngineException failure) {
    return new PressureListener() {
      @Override
      public void shortOf(long refusedBytes) {
        calls.add("short of " + refusedBytes);
      }

      @Override
      public void moveOut(long wantedBytes) {
        calls.add("move " + wantedBytes);
        if (failure != null) {
          throw failure;
        }
      }
    };
  }
}
