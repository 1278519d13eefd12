package io.ariadne.operator.sort;

import io.ariadne.operator.OperatorContext;

/**
 * Sizes of the runs, batches, merge rounds and splits of a sort.
 *
 * @param runRows the most rows of a run, exceeded by less than one batch
 * @param runBytes the most bytes of a run, exceeded by less than one batch
 * @param batchRows the most rows of a spillable batch and of an output batch
 * @param batchBytes about the bytes of a spillable batch; a merge has one batch of each run open
 * @param roundBytes about the bytes that a merge sorts at once and yields as one batch
 * @param splitRows about the rows of a split of the merge
 * @param fanIn how many runs a pipeline driver merges at once before the last merge, at least 2;
 *     all drivers may do so at once
 * @param driverRuns how many runs of one driver take part in the last merge, at least 1
 */
record SortLimits(
    int runRows,
    long runBytes,
    int batchRows,
    long batchBytes,
    long roundBytes,
    int splitRows,
    int fanIn,
    int driverRuns) {
  /** Runs of this size are sorted within the caches that several threads share. */
  static final SortLimits DEFAULT =
      new SortLimits(1 << 19, 64L << 20, 1 << 14, 4L << 20, 4L << 20, 1 << 17, 2048, 2048);

  /** Every driver may make a run at once, which takes a little more than twice its bytes. */
  private static final int RUN_SHARE = 8;

  /** A driver that merges holds a round twice. */
  private static final int ROUND_SHARE = 32;

  /**
   * The open batches of the last merge, or of all drivers' merges before it, may take one part in
   * this many of the memory.
   */
  private static final int OPEN_SHARE = 8;

  /** This many batches may always be open. */
  private static final int OPEN_BATCHES = 256;

  private static final long MIN_BATCH_BYTES = 64L << 10;
  private static final int BATCHES_PER_RUN = 16;
  private static final int MIN_FAN_IN = 8;

  /**
   * More runs than this make splits longer, because every split searches its bounds in each run.
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
   * @param drivers how many pipeline drivers sort at once
   */
  SortLimits within(long capacityInBytes, int drivers) {
    long share = capacityInBytes / drivers;
    long run = atLeast(MIN_BATCH_BYTES, runBytes, share / RUN_SHARE);
    long batch = Math.min(capacityInBytes / OPEN_SHARE / OPEN_BATCHES, run / BATCHES_PER_RUN);
    batch = atLeast(MIN_BATCH_BYTES, batchBytes, batch);
    long driverInputs = Math.min(fanIn, capacityInBytes / OPEN_SHARE / batch) / drivers;
    return new SortLimits(
        runRows,
        run,
        batchRows,
        batch,
        atLeast(MIN_BATCH_BYTES, roundBytes, share / ROUND_SHARE),
        splitRows,
        (int) atLeast(MIN_FAN_IN, fanIn, driverInputs),
        (int) atLeast(1, driverRuns, driverInputs));
  }

  /** Returns a part of the memory between two bounds. */
  private static long atLeast(long least, long most, long part) {
    return Math.min(most, Math.max(least, part));
  }

  /**
   * Returns the rows of a spillable batch.
   *
   * @param bytes of all rows
   * @param rows how many these are, at least 1
   */
  int batchRows(long bytes, long rows) {
    return rowsOf(batchBytes, bytes, rows);
  }

  /** Returns the rows of a merge's output batch; arguments as for {@link #batchRows}. */
  int roundRows(long bytes, long rows) {
    return rowsOf(roundBytes, bytes, rows);
  }

  private int rowsOf(long wantedBytes, long bytes, long rows) {
    long bytesPerRow = Math.max(1, bytes / rows);
    return (int) Math.max(1, Math.min(batchRows, wantedBytes / bytesPerRow));
  }

  /** Returns the rows of a split of the merge. */
  long splitRows(int runs) {
    return Math.max(splitRows, (long) splitRows * runs / RUNS_PER_SPLIT);
  }

  /** Returns limits under which a merge has one split. */
  SortLimits undivided() {
    return new SortLimits(
        runRows, runBytes, batchRows, batchBytes, roundBytes, Integer.MAX_VALUE, fanIn, driverRuns);
  }
}
