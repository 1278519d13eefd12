package io.ariadne.fragment.admission;

/**
 * Measured figures of the recent tasks of one operator: how long one takes, and the bytes that it
 * reads and yields. The means of the last {@value #ENTRIES} tasks; not thread-safe.
 *
 * <p>These are T, I and O of the paper's Algorithm 2.
 */
final class OperatorFigures {
  private static final int ENTRIES = 64;

  private final long[] nanos = new long[ENTRIES];
  private final long[] inputs = new long[ENTRIES];
  private final long[] outputs = new long[ENTRIES];
  private int added;
  private long nanosSum;
  private long inputSum;
  private long outputSum;

  /** Creates the figures of an operator without tasks. */
  OperatorFigures() {}

  /**
   * Adds a finished task.
   *
   * @param taskNanos how long it ran, at least 0
   * @param inputBytes bytes of its input; 0 for a source
   * @param outputBytes bytes of its output
   */
  void add(long taskNanos, long inputBytes, long outputBytes) {
    int at = added % ENTRIES;
    nanosSum += taskNanos - nanos[at];
    inputSum += inputBytes - inputs[at];
    outputSum += outputBytes - outputs[at];
    nanos[at] = taskNanos;
    inputs[at] = inputBytes;
    outputs[at] = outputBytes;
    added++;
  }

  /** Returns whether any task was added; all means are 0 until then. */
  boolean isKnown() {
    return added > 0;
  }

  /** Returns the mean time of a task in nanoseconds. */
  double meanNanos() {
    return mean(nanosSum);
  }

  /** Returns the mean bytes of a task's input. */
  double meanInputBytes() {
    return mean(inputSum);
  }

  /** Returns the mean bytes of a task's output. */
  double meanOutputBytes() {
    return mean(outputSum);
  }

  private double mean(long sum) {
    return added == 0 ? 0 : (double) sum / Math.min(added, ENTRIES);
  }
}
