package io.ariadne.preload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.preload.OverlapSimulation.Arm;
import io.ariadne.preload.OverlapSimulation.Outcome;
import io.ariadne.preload.OverlapSimulation.Stages;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Asserts the ratios of the experiment E1 with the limits that the engine has, in virtual time. */
class TestOverlapSimulation {
  private static final long BATCH = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long TENTH = BATCH / 10;
  private static final int BATCHES = 200;

  private static double ratio(Stages stages, Arm arm) {
    double serial = OverlapSimulation.run(stages, Arm.SERIAL, BATCHES).seconds();
    return serial / OverlapSimulation.run(stages, arm, BATCHES).seconds();
  }

  @Test
  void balancedStagesOverlap() {
    Stages stages = new Stages(BATCH, BATCH, BATCH);
    Outcome full = OverlapSimulation.run(stages, Arm.FULL, BATCHES);
    double ratio = ratio(stages, Arm.FULL);
    assertTrue(ratio >= 2.8, () -> ratio + " of 3.0");
    assertTrue(full.busiest() >= 0.95, full::toString);
  }

  /** Serial takes the sum of the stages and a latency per batch. */
  @Test
  void serialTakesTheSum() {
    Stages stages = new Stages(BATCH, BATCH, BATCH);
    double seconds = OverlapSimulation.run(stages, Arm.SERIAL, BATCHES).seconds();
    assertEquals(BATCHES * 0.305, seconds, 0.01);
  }

  @Test
  void oneBatchAheadOverlapsAsWellWithEqualBatches() {
    Stages stages = new Stages(BATCH, BATCH, BATCH);
    double ratio = ratio(stages, Arm.DOUBLE);
    assertTrue(ratio >= 2.2, () -> ratio + " of 3.0");
  }

  @Test
  void nothingIsGainedWhereThereIsNothingToHide() {
    for (Stages stages :
        new Stages[] {
          new Stages(BATCH, TENTH, TENTH),
          new Stages(TENTH, BATCH, TENTH),
          new Stages(TENTH, TENTH, BATCH)
        }) {
      Outcome full = OverlapSimulation.run(stages, Arm.FULL, BATCHES);
      double ratio = ratio(stages, Arm.FULL);
      assertTrue(ratio < 1.27, () -> stages + ": " + ratio);
      assertTrue(full.busiest() >= 0.95, () -> stages + ": " + full);
    }
  }

  /** Reading ahead stays at its first depth and the requests in progress where sending is slow. */
  @Test
  void memoryIsBounded() {
    Stages slowSend = new Stages(TENTH, TENTH, BATCH);
    Outcome full = OverlapSimulation.run(slowSend, Arm.FULL, BATCHES);
    long ahead = (16L << 20) + (64L << 19);
    assertTrue(full.peakBytes() <= (128L << 20) + ahead, full::toString);
  }
}
