package io.ariadne.event;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestThreads {
  private static final Duration SHORT = Duration.ofMillis(20);

  private final CountDownLatch isOver = new CountDownLatch(1);
  private final Thread thread = Threads.daemon("joined", this::awaitEnd);

  private void awaitEnd() {
    try {
      isOver.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void joinEndsWhenTheTimeIsOver() {
    thread.start();
    long start = System.nanoTime();
    assertFalse(Threads.join(thread, SHORT));
    assertTrue(System.nanoTime() - start >= SHORT.toNanos());
    isOver.countDown();
    assertTrue(Threads.join(thread, Duration.ofMinutes(1)));
  }

  @Test
  void interruptsStayPendingUntilTheThreadHasEnded() {
    thread.start();
    Thread.currentThread().interrupt();
    long start = System.nanoTime();
    assertFalse(Threads.join(thread, SHORT));
    assertTrue(System.nanoTime() - start >= SHORT.toNanos());
    assertTrue(Thread.currentThread().isInterrupted());
    isOver.countDown();
    Threads.join(thread);
    assertFalse(thread.isAlive());
    assertTrue(Thread.interrupted());
  }
}
