package io.ariadne.fragment.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;

/**
 * The peak memory of the last batches of one kind of pipeline, and an estimate for the next batch.
 * Thread-safe.
 */
final class PeakHistory {
  private static final int ENTRIES = 64;

  /** How many batches of similar size suffice for an estimate. */
  private static final int ENOUGH = 4;

  /** The estimate for a kind without history, as a multiple of the batch's size. */
  private static final int UNSEEN_SIZES = 2;

  /** The share of past batches whose peak the estimate covers. */
  private static final double COVERED = 0.9;

  @GuardedBy("this")
  private final long[] inputs = new long[ENTRIES];

  @GuardedBy("this")
  private final long[] peaks = new long[ENTRIES];

  @GuardedBy("this")
  private int added;

  /**
   * Adds the peak of a batch.
   *
   * @param inputBytes size of the batch
   * @param peakBytes the most memory allocated for it at one time, the batch itself not counted
   */
  synchronized void add(long inputBytes, long peakBytes) {
    inputs[added % ENTRIES] = Math.max(1, inputBytes);
    peaks[added % ENTRIES] = peakBytes;
    added++;
  }

  /**
   * Returns the memory that a batch is expected to take: the 90th percentile of past batches, in
   * proportion to their sizes. Considers batches of at least half and at most twice the size, or
   * all if there are too few of these.
   *
   * @param inputBytes size of the batch
   */
  synchronized long estimate(long inputBytes) {
    long size = Math.max(1, inputBytes);
    int count = Math.min(added, ENTRIES);
    if (count == 0) {
      return UNSEEN_SIZES * size;
    }
    long[] near = new long[count];
    long[] all = new long[count];
    int nearCount = 0;
    for (int i = 0; i < count; i++) {
      all[i] = (long) (peaks[i] * ((double) size / inputs[i]));
      if (inputs[i] >= size / 2 && inputs[i] / 2 <= size) {
        near[nearCount++] = all[i];
      }
    }
    return nearCount < ENOUGH ? covering(all, count) : covering(near, nearCount);
  }

  private static long covering(long[] values, int count) {
    Arrays.sort(values, 0, count);
    return values[Math.min(count - 1, (int) Math.ceil(COVERED * count) - 1)];
  }
}
