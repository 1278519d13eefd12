package io.ariadne.spill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.ThreadRecords;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads get the lock one after the other, and fail when the holder hangs. */
@Timeout(60)
class TestSpillLock {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** Starts a thread that holds the lock until {@link #released}. */
  private FutureTask<Void> hang(SpillLock lock) throws InterruptedException {
    FutureTask<Void> hanging =
        new FutureTask<>(
            () -> {
              lock.acquire();
              Wait disk =
                  ThreadRecord.current().await(WaitKind.DISK, "a write to /slow/disk", 0, null);
              begun.countDown();
              released.await();
              disk.close();
              lock.release();
              return null;
            });
    new Thread(hanging).start();
    begun.await();
    return hanging;
  }

  /** Waits until a thread waits for the lock; returns its wait. */
  private static Wait awaitWaiting() {
    Optional<Wait> wait = Optional.empty();
    while (wait.isEmpty()) {
      wait = ThreadRecords.waits().stream().filter(Wait::isBreakable).findAny();
      Thread.onSpinWait();
    }
    return wait.get();
  }

  @Test
  void failsWhenTheHolderHangs() throws Exception {
    SpillLock lock = new SpillLock("move a test", Duration.ofMillis(200));
    FutureTask<Void> hanging = hang(lock);
    Thread.currentThread().interrupt();
    EngineException e = assertThrows(EngineException.class, lock::acquire);
    assertTrue(Thread.interrupted(), "the interrupt is lost");
    assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
    assertTrue(e.getMessage().startsWith("cannot move a test"), e.getMessage());
    assertTrue(e.getMessage().contains("/slow/disk"), e.getMessage());
    released.countDown();
    hanging.get();
    lock.acquire();
    lock.acquire();
    lock.release();
    lock.release();
  }

  @Test
  void failsWhenTheWaitIsEnded() throws Exception {
    SpillLock lock = new SpillLock("move a test", Duration.ofMinutes(10));
    FutureTask<Void> hanging = hang(lock);
    FutureTask<Void> waiting = new FutureTask<>(lock::acquire, null);
    Thread waiter = new Thread(waiting);
    waiter.start();
    awaitWaiting().breakOff("for a test");
    Exception e = assertThrows(Exception.class, () -> waiting.get(30, TimeUnit.SECONDS));
    assertTrue(e.getCause().getMessage().endsWith("was ended: for a test"), e.toString());
    released.countDown();
    hanging.get();
  }

  @Test
  void waitsUntilTheHolderReleasesTheLock() throws Exception {
    SpillLock lock = new SpillLock("move a test", Duration.ofMinutes(10));
    FutureTask<Void> hanging = hang(lock);
    FutureTask<Boolean> waiting =
        new FutureTask<>(
            () -> {
              lock.acquire();
              lock.release();
              return hanging.isDone() || released.getCount() == 0;
            });
    new Thread(waiting).start();
    awaitWaiting();
    assertFalse(waiting.isDone(), "two threads hold the lock");
    released.countDown();
    assertTrue(waiting.get());
  }
}
