package io.ariadne.operator.join;

import io.ariadne.operator.OperatorContext;

/**
 * Limits how much of a join is in memory at once.
 *
 * @param tableBytes estimated bytes of the hash table; more build rows are partitioned by the
 *     hashes of their keys, and partitions beyond the limit are spilled
 * @param pairBytes the same of the table of a pair of partitions; each pipeline driver has one such
 *     table
 * @param partitionedBytes bytes of rows that one driver partitions together
 * @param sharedRows from this many rows on, several threads build the table together
 */
record JoinLimits(long tableBytes, long pairBytes, long partitionedBytes, long sharedRows) {
  /** The tables of all drivers may take one part in this many of a memory space. */
  private static final int SHARES = 4;

  private static final long LEAST_TABLE_BYTES = 512 << 10;

  /** Rows that are partitioned together take one part in this many of a table. */
  private static final int PARTITIONED_SHARES = 8;

  private static final long LEAST_PARTITIONED_BYTES = 256 << 10;
  private static final long MOST_PARTITIONED_BYTES = 16 << 20;

  /**
   * One thread builds a table of fewer rows in half a second, and lookups in one table are a little
   * faster.
   */
  private static final long SHARED_ROWS = 1 << 22;

  /** About the most bytes of a row in a table besides its columns and its key. */
  private static final int BYTES_PER_ROW = 40;

  /** The limits of a build side that stays in memory as a whole, number of rows in input order. */
  static final JoinLimits WHOLE_TABLE =
      new JoinLimits(Long.MAX_VALUE, Long.MAX_VALUE, MOST_PARTITIONED_BYTES, Long.MAX_VALUE);

  /** Checks that the limits are positive. */
  JoinLimits {
    if (tableBytes < 1 || pairBytes < 1 || partitionedBytes < 1) {
      throw new IllegalArgumentException("the limits of a join must be positive");
    }
  }

  /** Returns whether rows may be spilled in partitions that are joined one after the other. */
  boolean mayPartition() {
    return tableBytes < Long.MAX_VALUE;
  }

  /**
   * Derives limits from the memory's size: every compute thread may run a fragment, and every
   * fragment a driver per compute thread.
   */
  static JoinLimits of(OperatorContext context) {
    long capacity =
        Math.min(context.spill().capacityInBytes(), context.kernelSpill().capacityInBytes());
    int threads = context.threadCount();
    long share = capacity / SHARES / threads;
    return new JoinLimits(
        Math.max(LEAST_TABLE_BYTES, share),
        Math.max(LEAST_TABLE_BYTES, share / threads),
        Math.max(
            LEAST_PARTITIONED_BYTES, Math.min(MOST_PARTITIONED_BYTES, share / PARTITIONED_SHARES)),
        SHARED_ROWS);
  }

  /**
   * Estimates the bytes of a table.
   *
   * @param rowCount number of rows
   * @param bytes bytes of their columns
   * @param keyWords 64-bit words of a row's key
   */
  static long tableBytes(long rowCount, long bytes, int keyWords) {
    return bytes + rowCount * (BYTES_PER_ROW + (long) keyWords * Long.BYTES);
  }
}
