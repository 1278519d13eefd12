package io.ariadne.rules.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.SparkLine;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stage waits until the one that makes its filter is submitted, but not for long. */
@Timeout(60)
class TestStageOrder {
  private static final boolean WAITS = !SparkLine.name().equals("3.5");

  @Test
  void submittedStageIsNotAwaited() {
    assertFalse(StageOrder.isSubmitted(-1));
    StageOrder.submitted(-1);
    assertTrue(StageOrder.isSubmitted(-1));
    assertTrue(waitedMillis(-1) < 500);
  }

  @Test
  void stageIsAwaitedUntilItIsSubmitted() throws InterruptedException {
    Thread submitting =
        new Thread(
            () -> {
              sleep(200);
              StageOrder.submitted(-2);
            });
    submitting.start();
    long waited = waitedMillis(-2);
    submitting.join();
    assertTrue(!WAITS || (waited >= 150 && waited < 900), () -> waited + " ms");
  }

  @Test
  void stageThatIsNeverSubmittedIsAwaitedForASecond() {
    assertEquals(WAITS, waitedMillis(-3) >= 900);
  }

  @Test
  void interruptedThreadDoesNotWait() {
    Thread.currentThread().interrupt();
    assertTrue(waitedMillis(-4) < 500);
    assertTrue(!WAITS || Thread.interrupted(), "the interrupt is lost");
  }

  private static long waitedMillis(long filter) {
    long start = System.nanoTime();
    StageOrder.awaitSubmitted(filter);
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
