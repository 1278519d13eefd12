package io.ariadne.fragment.admission;

import java.util.List;

/**
 * How fast the operators downstream of a source use its output, from their measured tasks: the
 * first half of Algorithm 2.
 */
final class DrainRate {
  private static final double NANOS_PER_SECOND = 1e9;

  /** How the times of several stages count. */
  enum Drain {
    /** They are added, as in the paper. */
    SUM,
    /** The times of stages on the same resource are added; the slowest resource counts. */
    BOTTLENECK,
    /** Consumers are expected to use nothing: only memory that is free counts. */
    NONE
  }

  /**
   * An operator downstream of the source.
   *
   * @param figures its recent tasks
   * @param slots how many of its tasks can run at once
   * @param resource what the slots are of
   */
  record Stage(OperatorFigures figures, double slots, Object resource) {}

  private DrainRate() {}

  /**
   * Returns P: how long the stages take for one partition of the source. {@code P = sum of (T_i /
   * E_i) * a_(i-1)} with {@code a_i = a_(i-1) * O_i / I_i}.
   *
   * @param partitionBytes bytes of a partition of the source
   * @param stages the stages in order
   * @param drain how the times count
   * @return seconds, or infinity while a stage has no finished task, and for {@link Drain#NONE}
   */
  static double secondsPerPartition(double partitionBytes, List<Stage> stages, Drain drain) {
    double bytes = partitionBytes;
    double[] seconds = new double[stages.size()];
    for (int i = 0; i < seconds.length; i++) {
      OperatorFigures figures = stages.get(i).figures();
      if (drain == Drain.NONE || !figures.isKnown()) {
        return Double.POSITIVE_INFINITY;
      }
      double tasks = bytes / figures.meanInputBytes();
      seconds[i] = figures.meanNanos() / NANOS_PER_SECOND / stages.get(i).slots() * tasks;
      bytes = tasks * figures.meanOutputBytes();
    }
    double most = 0;
    for (int i = 0; i < seconds.length; i++) {
      double sum = 0;
      for (int j = 0; j < seconds.length; j++) {
        boolean isShared = stages.get(i).resource().equals(stages.get(j).resource());
        sum += drain == Drain.SUM || isShared ? seconds[j] : 0;
      }
      most = Math.max(most, sum);
    }
    return most;
  }
}
