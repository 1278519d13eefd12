package io.ariadne.fragment.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is expected of the next batch. */
class TestPeakHistory {
  @Test
  void estimatesUnseenKinds() {
    assertEquals(2000, new PeakHistory().estimate(1000));
  }

  @Test
  void scalesFewBatchesOfOtherSizes() {
    PeakHistory history = new PeakHistory();
    history.add(100, 300);
    assertEquals(3000, history.estimate(1000));
    assertEquals(300, history.estimate(100));
  }

  @Test
  void prefersBatchesOfSimilarSize() {
    PeakHistory history = new PeakHistory();
    for (int i = 0; i < 20; i++) {
      history.add(1000, 500);
      history.add(100_000, 90_000);
    }
    assertEquals(600, history.estimate(1200));
    assertEquals(72_000, history.estimate(80_000));
  }

  @Test
  void forgetsOldBatches() {
    PeakHistory history = new PeakHistory();
    for (int i = 0; i < 64; i++) {
      history.add(1000, 1_000_000);
    }
    for (int i = 0; i < 64; i++) {
      history.add(1000, 700);
    }
    assertEquals(700, history.estimate(1000));
  }

  /** After eight batches, nineteen of twenty expectations are within 30 % of the peak. */
  @Test
  void limitsTheErrorForSkewedSizes() {
    Random random = new Random(Long.getLong("ariadne.test.seed", System.nanoTime()));
    PeakHistory history = new PeakHistory();
    double[] errors = new double[2000];
    for (int i = -8; i < errors.length; i++) {
      long input = (long) Math.exp(8 + 6 * random.nextDouble());
      long peak = (long) (input * (1.4 + 0.2 * random.nextDouble()));
      long expected = history.estimate(input);
      history.add(input, peak);
      if (i >= 0) {
        errors[i] = Math.abs(expected - peak) / (double) peak;
      }
    }
    Arrays.sort(errors);
    double error = errors[errors.length * 95 / 100];
    assertTrue(error <= 0.3, "95 % of errors are within " + error);
  }
}
