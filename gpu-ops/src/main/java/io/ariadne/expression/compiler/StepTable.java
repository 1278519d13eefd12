package io.ariadne.expression.compiler;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A function of 64-bit integers that is constant between a few steps, in the form that {@code
 * STEP_VALUE} reads.
 *
 * @param steps where it changes, ascending; before the first step it has the first step's value
 * @param periodStart the key from which on the function is periodic
 * @param period the period, positive; the steps reach {@code periodStart + period}
 */
record StepTable(List<Step> steps, long periodStart, long period) {
  /**
   * The value of the function from a key to the next step.
   *
   * @param key the first argument
   * @param value the function's value
   */
  record Step(long key, long value) {}

  private static final int STEP_BYTES = 16;

  StepTable {
    steps = List.copyOf(steps);
    for (int i = 1; i < steps.size(); i++) {
      if (steps.get(i - 1).key() >= steps.get(i).key()) {
        throw new IllegalArgumentException("steps out of order at " + steps.get(i));
      }
    }
  }

  /** Returns a function that is not periodic. */
  static StepTable of(List<Step> steps) {
    return new StepTable(steps, Long.MAX_VALUE, 1);
  }

  /** Returns the table's bytes: periodStart and period, then keys and values. */
  byte[] bytes() {
    ByteBuffer bytes =
        ByteBuffer.allocate((steps.size() + 1) * STEP_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(periodStart).putLong(period);
    for (Step step : steps) {
      bytes.putLong(step.key()).putLong(step.value());
    }
    return bytes.array();
  }
}
