package io.ariadne.kernel.benchmark;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Times a piece of work: the median over rounds that each last some milliseconds. It is the calling
 * thread's processor time, so that other work on the machine disturbs it little.
 */
final class KernelTimer {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int WARM_UP_ROUNDS = 5;
  private static final int ROUNDS = 21;
  private static final long ROUND_NANOS = 5_000_000;

  private KernelTimer() {}

  /**
   * Returns nanoseconds per item.
   *
   * @param items that one run handles
   * @param work one run
   */
  static double nanosPerItem(long items, Runnable work) {
    long repeats = 1;
    while (timeOf(work, repeats) < ROUND_NANOS) {
      repeats *= 2;
    }
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      timeOf(work, repeats);
    }
    double[] rounds = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      rounds[i] = (double) timeOf(work, repeats) / repeats / items;
    }
    Arrays.sort(rounds);
    return rounds[ROUNDS / 2];
  }

  private static long timeOf(Runnable work, long repeats) {
    long start = THREADS.getCurrentThreadCpuTime();
    for (long i = 0; i < repeats; i++) {
      work.run();
    }
    return THREADS.getCurrentThreadCpuTime() - start;
  }
}
