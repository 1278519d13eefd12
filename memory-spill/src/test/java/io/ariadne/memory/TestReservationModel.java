package io.ariadne.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.memory.testing.PoolCheck;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * All sequences of a few steps of two reservations, a waiting one and a growing one, and of plain
 * allocations, in a pool of four units, against a model of who gets what.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class TestReservationModel {
  private static final long UNIT = MemoryBuffer.ALIGNMENT;
  private static final int LIMIT = 4;
  private static final int FIRST = 2;
  private static final int SECOND = 1;
  private static final int GROWTH = 2;
  private static final int STEPS = 6;
  private static final long LONG_WAIT = 60_000;

  @RegisterExtension final PoolCheck memory = new PoolCheck(LIMIT * UNIT);

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stopThreads() {
    threads.shutdownNow();
  }

  private enum Step {
    RESERVE,
    CLOSE,
    GROW,
    SHRINK,
    ALLOCATE,
    FREE,
    WAIT_TO_GROW,
    STOP_GROWING,
    WAIT_FOR_SECOND,
    STOP_WAITING,
    CLOSE_SECOND,
    ALLOCATE_PLAIN,
    FREE_PLAIN
  }

  /** The model: which reservation has how many units. */
  private static final class Model {
    int reserved = -1;
    int used;
    int left;
    int plain;
    boolean isGrowing;
    boolean isSecondWaiting;
    boolean hasSecond;

    int charge() {
      return Math.max(0, reserved) + left + plain + (hasSecond ? SECOND : 0);
    }

    boolean fits(int units) {
      return charge() + units <= LIMIT;
    }

    int waiters() {
      return (isGrowing ? 1 : 0) + (isSecondWaiting ? 1 : 0);
    }

    /** Grants free units: first to the growing reservation, which no other one overtakes. */
    void grant() {
      if (isGrowing && fits(GROWTH)) {
        isGrowing = false;
        reserved += GROWTH;
      }
      if (!isGrowing && isSecondWaiting && fits(SECOND)) {
        isSecondWaiting = false;
        hasSecond = true;
      }
    }

    /** Returns whether the step means something now; it is an error of the caller otherwise. */
    boolean allows(Step step) {
      return switch (step) {
        case RESERVE -> reserved < 0;
        case CLOSE -> reserved >= 0 && !isGrowing;
        case GROW, SHRINK, ALLOCATE -> reserved >= 0;
        case FREE -> used + left > 0;
        case WAIT_TO_GROW -> reserved >= 0 && !isGrowing;
        case STOP_GROWING -> isGrowing;
        case WAIT_FOR_SECOND -> !isSecondWaiting && !hasSecond;
        case STOP_WAITING -> isSecondWaiting;
        case CLOSE_SECOND -> hasSecond;
        case ALLOCATE_PLAIN -> true;
        case FREE_PLAIN -> plain > 0;
      };
    }
  }

  /** The real thing beside its model. */
  private final class Run {
    final MemoryPool pool = memory.pool();
    final Model model = new Model();
    final Deque<MemoryBuffer> buffers = new ArrayDeque<>();
    final Deque<MemoryBuffer> plain = new ArrayDeque<>();
    Reservation first;
    Future<?> growing;
    Future<Reservation> second;

    void take(Step step) throws Exception {
      switch (step) {
        case RESERVE -> reserve();
        case CLOSE -> close();
        case GROW -> grow();
        case SHRINK -> shrink();
        case ALLOCATE -> allocate();
        case FREE -> free();
        case WAIT_TO_GROW -> waitToGrow();
        case STOP_GROWING -> stopGrowing();
        case WAIT_FOR_SECOND -> waitForSecond();
        case STOP_WAITING -> stopWaiting();
        case CLOSE_SECOND -> closeSecond();
        case ALLOCATE_PLAIN -> allocatePlain();
        case FREE_PLAIN -> freePlain();
        default -> throw new AssertionError("unknown step " + step);
      }
      model.grant();
      settle();
      check();
    }

    private void reserve() {
      first = pool.tryReserve("first", FIRST * UNIT);
      boolean isGranted = !model.isSecondWaiting && model.fits(FIRST);
      assertEquals(isGranted, first != null);
      model.reserved = isGranted ? FIRST : -1;
    }

    private void close() {
      first.close();
      model.left += model.used;
      model.used = 0;
      model.reserved = -1;
    }

    private void grow() {
      boolean isGranted = !model.isGrowing && model.fits(1);
      assertEquals(isGranted, first.tryGrow(UNIT));
      model.reserved += isGranted ? 1 : 0;
    }

    private void shrink() {
      int units = Math.min(1, model.reserved - model.used);
      assertEquals(units * UNIT, first.shrink(UNIT));
      model.reserved -= units;
    }

    private void allocate() {
      if (model.reserved == model.used) {
        assertThrows(EngineException.class, () -> first.allocate(UNIT));
        return;
      }
      buffers.addLast(first.allocate(UNIT));
      model.used++;
    }

    /** The oldest buffer first: it may be of a reservation that was closed. */
    private void free() {
      buffers.removeFirst().close();
      if (model.left > 0) {
        model.left--;
      } else {
        model.used--;
      }
    }

    private <T> Future<T> start(Callable<T> work) {
      return threads.submit(work);
    }

    private void waitToGrow() {
      Reservation reservation = first;
      growing =
          start(
              () -> {
                reservation.grow(GROWTH * UNIT, LONG_WAIT);
                return null;
              });
      model.isGrowing = true;
    }

    private void stopGrowing() {
      assertTrue(growing.cancel(true));
      growing = null;
      model.isGrowing = false;
    }

    private void waitForSecond() {
      second = start(() -> pool.reserve("second", SECOND * UNIT, LONG_WAIT));
      model.isSecondWaiting = true;
    }

    private void stopWaiting() {
      assertTrue(second.cancel(true));
      second = null;
      model.isSecondWaiting = false;
    }

    private void closeSecond() throws Exception {
      second.get().close();
      second = null;
      model.hasSecond = false;
    }

    private void allocatePlain() {
      if (!model.fits(1)) {
        assertThrows(EngineException.class, () -> pool.allocate(UNIT));
        return;
      }
      plain.addLast(pool.allocate(UNIT));
      model.plain++;
    }

    private void freePlain() {
      plain.removeFirst().close();
      model.plain--;
    }

    private void awaitWaiters(int count) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (pool.queue().waiterCount() != count) {
        assertTrue(System.nanoTime() < deadline, "not " + count + " who wait");
        Thread.onSpinWait();
      }
    }

    /** Lets the other threads come to where the model says they are. */
    private void settle() throws InterruptedException, ExecutionException, TimeoutException {
      if (growing != null && !model.isGrowing) {
        growing.get(10, TimeUnit.SECONDS);
        growing = null;
      }
      if (second != null && model.hasSecond) {
        second.get(10, TimeUnit.SECONDS);
      }
      awaitWaiters(model.waiters());
    }

    private void check() {
      assertEquals(model.waiters(), pool.queue().waiterCount());
      assertEquals(model.charge() * UNIT, pool.allocatedBytes());
      if (model.reserved >= 0) {
        assertEquals(model.reserved * UNIT, first.reservedBytes());
        assertEquals(model.used * UNIT, first.allocatedBytes());
      }
    }

    void finish() throws Exception {
      while (model.isGrowing || model.isSecondWaiting) {
        take(model.isGrowing ? Step.STOP_GROWING : Step.STOP_WAITING);
      }
      for (Step step : List.of(Step.CLOSE_SECOND, Step.CLOSE, Step.FREE, Step.FREE_PLAIN)) {
        while (model.allows(step)) {
          take(step);
        }
      }
      assertEquals(0, pool.allocatedBytes());
    }
  }

  private int sequences;

  @Test
  void allSequencesAgreeWithTheModel() throws Exception {
    extend(new ArrayList<>());
    assertTrue(sequences > 10_000, "only " + sequences + " sequences");
  }

  /** Runs a sequence, then each that has one step more; steps that mean nothing are left out. */
  private void extend(List<Step> steps) throws Exception {
    sequences++;
    List<Step> next = run(steps);
    for (Step step : steps.size() < STEPS ? next : List.<Step>of()) {
      steps.add(step);
      extend(steps);
      steps.remove(steps.size() - 1);
    }
  }

  /** Returns the steps that are possible behind these. */
  private List<Step> run(List<Step> steps) throws Exception {
    try {
      Run run = new Run();
      for (Step step : steps) {
        run.take(step);
      }
      List<Step> next = Arrays.stream(Step.values()).filter(run.model::allows).toList();
      run.finish();
      return next;
    } catch (AssertionError e) {
      throw new AssertionError("after " + steps, e);
    }
  }
}
