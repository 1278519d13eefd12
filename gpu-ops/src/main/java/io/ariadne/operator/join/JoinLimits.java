package io.ariadne.operator.join;

import io.ariadne.operator.OperatorContext;

/**
 * How much of a join is in memory at once.
 *
 * @param tableBytes bytes, estimated, of a table of build rows; rows beyond that are divided by the
 *     hashes of their keys, and what does not fit waits at rest
 * @param pairBytes the same of a table of a pair of partitions, of which each thread has one
 * @param partitionedBytes bytes of rows that one thread of work divides together
 * @param sharedRows rows from which on several threads of work make a table together
 */
record JoinLimits(long tableBytes, long pairBytes, long partitionedBytes, long sharedRows) {
  /** The part of a memory space that the tables of all threads of work may take. */
  private static final int SHARES = 4;

  private static final long LEAST_TABLE_BYTES = 512 << 10;

  /** The part of a table that rows take while they are divided. */
  private static final int PARTITIONED_SHARES = 8;

  private static final long LEAST_PARTITIONED_BYTES = 256 << 10;
  private static final long MOST_PARTITIONED_BYTES = 16 << 20;

  /** One thread makes a table of fewer rows in half a second, and lookups take a little less. */
  private static final long SHARED_ROWS = 1 << 22;

  /** What a row takes in a table beside its columns and its key, at most about. */
  private static final int BYTES_PER_ROW = 40;

  /** Those of a build side that is in memory as a whole, its rows in the order they came in. */
  static final JoinLimits WHOLE_TABLE =
      new JoinLimits(Long.MAX_VALUE, Long.MAX_VALUE, MOST_PARTITIONED_BYTES, Long.MAX_VALUE);

  /** Checks that there is room for rows. */
  JoinLimits {
    if (tableBytes < 1 || pairBytes < 1 || partitionedBytes < 1) {
      throw new IllegalArgumentException("no room for rows");
    }
  }

  /** Returns whether rows may be spilled in partitions that are joined one after the other. */
  boolean mayPartition() {
    return tableBytes < Long.MAX_VALUE;
  }

  /** Returns what suits the memory: every processor may have a fragment, and a thread in each. */
  static JoinLimits of(OperatorContext context) {
    long capacity =
        Math.min(context.spill().capacityInBytes(), context.kernelSpill().capacityInBytes());
    int threads = Runtime.getRuntime().availableProcessors();
    long share = capacity / SHARES / threads;
    return new JoinLimits(
        Math.max(LEAST_TABLE_BYTES, share),
        Math.max(LEAST_TABLE_BYTES, share / threads),
        Math.max(
            LEAST_PARTITIONED_BYTES, Math.min(MOST_PARTITIONED_BYTES, share / PARTITIONED_SHARES)),
        SHARED_ROWS);
  }

  /**
   * Returns what a table takes, about.
   *
   * @param rowCount its rows
   * @param bytes what their columns take
   * @param keyWords 64-bit words of a row's key
   */
  static long tableBytes(long rowCount, long bytes, int keyWords) {
    return bytes + rowCount * (BYTES_PER_ROW + (long) keyWords * Long.BYTES);
  }
}
