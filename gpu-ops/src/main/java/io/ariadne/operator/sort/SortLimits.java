package io.ariadne.operator.sort;

import io.ariadne.operator.OperatorContext;

/**
 * Sizes by which a sort divides its work.
 *
 * @param runRows rows of a run at most, but for one batch
 * @param runBytes bytes of a run, the same
 * @param batchRows rows of a batch at rest and of the output at most
 * @param batchBytes bytes of a batch at rest, about: a merge has one of each run open
 * @param roundBytes bytes that a merge sorts at once and puts out as one batch, about
 * @param splitRows rows that are merged as one piece of work, about
 * @param fanIn how many runs a lane merges at once before the last merge, at least 2: all lanes do
 *     so side by side
 * @param laneRuns how many runs of one lane take part in the last merge, at least 1
 */
record SortLimits(
    int runRows,
    long runBytes,
    int batchRows,
    long batchBytes,
    long roundBytes,
    int splitRows,
    int fanIn,
    int laneRuns) {
  /** Runs that are sorted within the caches that several threads share. */
  static final SortLimits DEFAULT =
      new SortLimits(1 << 19, 64L << 20, 1 << 14, 4L << 20, 4L << 20, 1 << 17, 2048, 2048);

  /** A lane that makes a run holds it twice and somewhat more, and all lanes do. */
  private static final int RUN_SHARE = 8;

  /** A lane that merges holds a round twice. */
  private static final int ROUND_SHARE = 32;

  /** The open batches of the last merge, or of those of all lanes, may take this part of memory. */
  private static final int OPEN_SHARE = 8;

  /** So many batches may be open then. */
  private static final int OPEN_BATCHES = 256;

  private static final long MIN_BATCH_BYTES = 64L << 10;
  private static final int BATCHES_PER_RUN = 16;
  private static final int MIN_FAN_IN = 8;

  /**
   * More runs than this make splits longer: at either end a split has to find its place in each.
   */
  private static final int RUNS_PER_SPLIT = 256;

  /** Returns limits for a sort on all threads of a context. */
  SortLimits within(OperatorContext context) {
    return within(context.spill().capacityInBytes(), context.threadCount());
  }

  /**
   * Returns limits for a memory space.
   *
   * @param capacityInBytes what it holds
   * @param lanes how many sort at once
   */
  SortLimits within(long capacityInBytes, int lanes) {
    long share = capacityInBytes / lanes;
    long run = atLeast(MIN_BATCH_BYTES, runBytes, share / RUN_SHARE);
    long batch = Math.min(capacityInBytes / OPEN_SHARE / OPEN_BATCHES, run / BATCHES_PER_RUN);
    batch = atLeast(MIN_BATCH_BYTES, batchBytes, batch);
    long laneInputs = Math.min(fanIn, capacityInBytes / OPEN_SHARE / batch) / lanes;
    return new SortLimits(
        runRows,
        run,
        batchRows,
        batch,
        atLeast(MIN_BATCH_BYTES, roundBytes, share / ROUND_SHARE),
        splitRows,
        (int) atLeast(MIN_FAN_IN, fanIn, laneInputs),
        (int) atLeast(1, laneRuns, laneInputs));
  }

  /** Returns a part of the memory, but neither less than some bytes nor more than others. */
  private static long atLeast(long least, long most, long part) {
    return Math.min(most, Math.max(least, part));
  }

  /**
   * Returns how many rows go into a batch at rest.
   *
   * @param bytes of all rows
   * @param rows how many these are, at least 1
   */
  int batchRows(long bytes, long rows) {
    return rowsOf(batchBytes, bytes, rows);
  }

  /** Returns how many rows a merge puts out at once; arguments as for {@link #batchRows}. */
  int roundRows(long bytes, long rows) {
    return rowsOf(roundBytes, bytes, rows);
  }

  private int rowsOf(long wantedBytes, long bytes, long rows) {
    long bytesPerRow = Math.max(1, bytes / rows);
    return (int) Math.max(1, Math.min(batchRows, wantedBytes / bytesPerRow));
  }

  /** Returns how many rows are merged as one piece of work. */
  long splitRows(int runs) {
    return Math.max(splitRows, (long) splitRows * runs / RUNS_PER_SPLIT);
  }

  /** Returns limits under which a merge is one piece of work. */
  SortLimits undivided() {
    return new SortLimits(
        runRows, runBytes, batchRows, batchBytes, roundBytes, Integer.MAX_VALUE, fanIn, laneRuns);
  }
}
