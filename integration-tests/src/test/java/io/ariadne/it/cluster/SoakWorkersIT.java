package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** However a worker of the soak ends, the run knows. */
class SoakWorkersIT {
  private static final int MILLIS = 30_000;

  @Test
  void allHaveEnded() throws Exception {
    AtomicInteger done = new AtomicInteger();
    try (SoakWorkers workers = new SoakWorkers(3, done::incrementAndGet)) {
      assertTrue(workers.await(MILLIS));
    }
    assertTrue(done.get() == 3, () -> "done: " + done);
  }

  @Test
  void whatAWorkerThrowsIsThrownWhileOthersWork() {
    for (Throwable thrown :
        new Throwable[] {
          new LinkageError("an error"), new AssertionError("a check"), new IOException("checked")
        }) {
      CountDownLatch never = new CountDownLatch(1);
      AtomicInteger number = new AtomicInteger();
      Runnable work =
          () -> {
            if (number.getAndIncrement() == 0) {
              throw SoakWorkersIT.<RuntimeException>unchecked(thrown);
            }
            awaitInterrupt(never);
          };
      try (SoakWorkers workers = new SoakWorkers(2, work)) {
        ExecutionException failure =
            assertThrows(
                ExecutionException.class,
                () -> {
                  for (int i = 0; i < MILLIS && !workers.await(1); i++) {}
                });
        assertSame(thrown, failure.getCause());
      }
    }
  }

  private static void awaitInterrupt(CountDownLatch never) {
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Throws a checked exception that is not declared, as Scala's methods do. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
