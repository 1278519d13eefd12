package io.ariadne.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
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
import java.util.function.Supplier;
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

  /** What becomes free may be in pieces that are too short. */
  @Test
  void movesMoreOutOfASourceWithFragments() {
    List<String> calls = new ArrayList<>();
    source.fragments = "2 pieces";
    try (MemoryPool large = MemoryPools.over("large", 1024, source)) {
      large.onPressure(1024, listener(calls, null));
      source.refusals.set(5);
      large.allocate(100).close();
      // At most a quarter of the pool at a time.
      assertEquals(List.of("move 128", "move 256", "move 256", "move 256"), calls);
      source.exhausted = true;
      EngineException e = assertThrows(EngineException.class, () -> large.allocate(100));
      assertTrue(
          e.getMessage().contains(", which its arena has only in pieces: 2 pieces; asked"),
          e::getMessage);
      source.exhausted = false;
    }
  }

  /** Allocations within a reservation move nothing; what contains them does, and is repeated. */
  @Test
  void repeatsAllocationsWithinAReservation() {
    List<String> calls = new ArrayList<>();
    source.fragments = "2 pieces";
    pool.onPressure(1024, listener(calls, null));
    pool.retrySource(LONG);
    source.refusals.set(4); // two in each of the first two attempts
    try (Reservation reservation = pool.secure("read", 256)) {
      reservation.allocateAll(256, () -> allocateTwo(reservation, calls)).close();
    }
    assertEquals(List.of("attempt", "attempt", "move 256", "attempt"), calls);
    assertRepeatsNothing();
  }

  /** A read ahead leaves what is in memory alone: it fails, and is tried again later. */
  @Test
  void threadsThatMayNotWaitMoveNothingForARepetition() {
    List<String> calls = new ArrayList<>();
    source.fragments = "2 pieces";
    pool.onPressure(1024, listener(calls, null));
    pool.retrySource(LONG);
    source.exhausted = true;
    boolean before = ThreadRecord.current().mayWait(false);
    try (Reservation reservation = pool.secure("read ahead", 256)) {
      assertThrows(
          EngineException.class,
          () -> reservation.allocateAll(256, () -> allocateTwo(reservation, calls)));
    } finally {
      ThreadRecord.current().mayWait(before);
    }
    assertEquals(List.of("attempt", "attempt"), calls);
    source.exhausted = false;
  }

  private void assertRepeatsNothing() {
    assertNull(ThreadUse.current().repetition(pool.source));
  }

  private static MemoryBuffer allocateTwo(Reservation reservation, List<String> calls) {
    calls.add("attempt");
    reservation.allocate(64).close();
    return reservation.allocate(64);
  }

  /** The outer action is repeated, which pauses once: the inner one does not for itself. */
  @Test
  void repeatsTheOuterActionOfTwo() {
    List<String> calls = new ArrayList<>();
    pool.retrySource(LONG);
    source.refusals.set(4);
    try (Reservation reservation = pool.secure("read", 256)) {
      reservation
          .allocateAll(
              256,
              () -> {
                calls.add("outer");
                return reservation.allocateAll(128, () -> allocateTwo(reservation, calls));
              })
          .close();
    }
    assertEquals(List.of("outer", "attempt", "outer", "attempt", "outer", "attempt"), calls);
    assertRepeatsNothing();
  }

  @Test
  void refusalOfWhatWasRepeatedHasThatOfItsRequest() {
    pool.retrySource(SHORT);
    source.exhausted = true;
    try (Reservation reservation = pool.secure("read", 256)) {
      EngineException e =
          assertThrows(
              EngineException.class,
              () ->
                  reservation.allocateAll(256, () -> allocateTwo(reservation, new ArrayList<>())));
      assertTrue(e.getMessage().startsWith("no HOST memory left for 256 bytes"), e::getMessage);
      String request = e.getSuppressed()[0].getMessage();
      assertTrue(request.startsWith("no HOST memory left for 64 bytes"), request);
    }
    source.exhausted = false;
  }

  /** Neither memory of another source nor more of the reservation comes by another attempt. */
  @Test
  void repeatsOnlyWhatTheSourceRefuses() {
    pool.retrySource(LONG);
    CountingSource other = new CountingSource();
    other.exhausted = true;
    try (MemoryPool full = MemoryPools.over("full", 1024, other);
        Reservation reservation = pool.secure("read", 128)) {
      assertRunsOnce(reservation, () -> full.allocate(64));
      assertRunsOnce(reservation, () -> reservation.allocate(256));
      EngineException broken = new EngineException(ErrorCode.INTERNAL, "the action is broken");
      source.refusals.set(2);
      assertRunsOnce(
          reservation,
          () -> {
            assertThrows(EngineException.class, () -> reservation.allocate(64));
            throw broken;
          });
    }
    assertRepeatsNothing();
  }

  private static void assertRunsOnce(Reservation reservation, Supplier<MemoryBuffer> action) {
    int[] runs = {0};
    assertThrows(
        EngineException.class,
        () ->
            reservation.allocateAll(
                128,
                () -> {
                  runs[0]++;
                  return action.get();
                }));
    assertEquals(1, runs[0]);
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
