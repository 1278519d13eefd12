package io.ariadne.fragment.memory;

import java.util.Arrays;

/**
 * The last peaks of memory that batches took of one kind of pipeline, and what the next batch is
 * expected to take. Thread-safe.
 */
final class PeakHistory {
  private static final int ENTRIES = 64;

  /** Peaks of batches of about the same size that are enough to go by. */
  private static final int ENOUGH = 4;

  /** What a batch of a kind never seen is expected to take, in sizes of it. */
  private static final int UNSEEN_SIZES = 2;

  /** Share of batches whose peak the expectation covers. */
  private static final double COVERED = 0.9;

  private final long[] inputs = new long[ENTRIES];
  private final long[] peaks = new long[ENTRIES];
  private int added;

  /**
   * Notes what a batch has taken.
   *
   * @param inputBytes its size
   * @param peakBytes the most that was taken for it at once, itself not counted
   */
  synchronized void add(long inputBytes, long peakBytes) {
    inputs[added % ENTRIES] = Math.max(1, inputBytes);
    peaks[added % ENTRIES] = peakBytes;
    added++;
  }

  /**
   * Returns what a batch is expected to take: what nine of ten batches took, in proportion to their
   * sizes; of those that were at least half and at most twice as large, unless these are few.
   *
   * @param inputBytes its size
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
