package io.ariadne.operator.sort;

/**
 * Sizes by which a sort divides its work.
 *
 * @param runRows rows of a run at most, but for one batch
 * @param runBytes bytes of a run, the same
 * @param batchRows rows of a batch at rest and of the output at most
 * @param batchBytes bytes of a batch at rest, about
 * @param splitRows rows that are merged as one piece of work, about
 * @param fanIn how many runs of one lane are merged into a longer one
 */
record SortLimits(
    int runRows, long runBytes, int batchRows, long batchBytes, int splitRows, int fanIn) {
  /** Runs that are sorted within the caches that several threads share. */
  static final SortLimits DEFAULT =
      new SortLimits(1 << 19, 64L << 20, 1 << 14, 4L << 20, 1 << 17, 128);

  /** A lane that makes a run holds it several times, and there are several lanes. */
  private static final int RUN_SHARE = 64;

  /** A merge keeps a batch of every run open. */
  private static final int OPEN_SHARE = 16;

  private static final long MIN_BATCH_BYTES = 64L << 10;
  private static final int BATCHES_PER_RUN = 16;
  private static final int MIN_FAN_IN = 8;

  /** Returns limits for a memory space of some bytes. */
  SortLimits within(long capacityInBytes) {
    long run = Math.min(runBytes, Math.max(MIN_BATCH_BYTES, capacityInBytes / RUN_SHARE));
    long batch = Math.min(batchBytes, Math.max(MIN_BATCH_BYTES, run / BATCHES_PER_RUN));
    long open = Math.max(MIN_FAN_IN, capacityInBytes / OPEN_SHARE / batch);
    return new SortLimits(runRows, run, batchRows, batch, splitRows, (int) Math.min(fanIn, open));
  }

  /**
   * Returns how many rows go into a batch at rest.
   *
   * @param bytes of all rows
   * @param rows how many these are, at least 1
   */
  int batchRows(long bytes, long rows) {
    long bytesPerRow = Math.max(1, bytes / rows);
    return (int) Math.max(1, Math.min(batchRows, batchBytes / bytesPerRow));
  }

  /** Returns limits under which a merge is one piece of work. */
  SortLimits undivided() {
    return new SortLimits(runRows, runBytes, batchRows, batchBytes, Integer.MAX_VALUE, fanIn);
  }
}
