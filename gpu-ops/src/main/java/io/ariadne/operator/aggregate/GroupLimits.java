package io.ariadne.operator.aggregate;

import io.ariadne.backend.Backend;
import io.ariadne.operator.OperatorContext;

/**
 * Limits of the group table of one pipeline driver. The driver checks them after each batch, so a
 * table may exceed them by the groups of one batch.
 *
 * @param groups how many groups
 * @param keyBytes bytes of their keys, including long strings
 * @param runBytes bytes of runs that are repartitioned together when memory is scarce
 * @param mergedBytes bytes of a table that merges a range of partitions; a range that needs more is
 *     repartitioned by further bits of the hashes
 */
public record GroupLimits(int groups, long keyBytes, long runBytes, long mergedBytes) {
  private static final int GROUPS_OF_CACHE = 1 << 16;
  private static final int GROUPS_OF_DEVICE = 1 << 24;
  private static final long KEY_BYTES_OF_HOST = 128L << 20;
  private static final long KEY_BYTES_OF_DEVICE = 512L << 20;
  private static final long RUN_BYTES_OF_HOST = 16L << 20;

  /** The tables of one fragment may take one of this many equal parts of the memory. */
  private static final int SHARES = 16;

  /** Every table may take so many bytes. */
  private static final long MIN_BYTES = 256 << 10;

  private static final int MIN_GROUPS = 1024;

  /** A group takes at least so many bytes. */
  private static final int MIN_GROUP_BYTES = 16;

  /**
   * The tables that merge runs, of one fragment, may take one of this many equal parts of the
   * memory.
   */
  private static final int MERGED_SHARES = 2;

  private static final long MIN_MERGED_BYTES = 4 << 20;

  /**
   * Runs are repartitioned together when they have so many times the bytes of a table. When a
   * partition is merged, one new run of each such generation is in memory, so there must not be
   * many generations.
   */
  private static final int RUNS_PER_TABLE = 4;

  /** Runs that are repartitioned together become so many new runs, unless those would be small. */
  private static final int DIVISIONS = 64;

  private static final long MIN_DIVIDED_BYTES = 32 << 10;
  private static final long MAX_DIVIDED_BYTES = 256 << 10;

  /**
   * A run of a table that is released on request takes one of this many equal parts of the memory.
   */
  private static final int RELEASED_RUN_SHARES = 256;

  private static final long MIN_RELEASED_RUN_BYTES = 64 << 10;
  private static final long MAX_RELEASED_RUN_BYTES = 4 << 20;

  /** Limits that no table reaches. */
  static final GroupLimits NONE =
      new GroupLimits(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /** Checks that a table may hold a group. */
  public GroupLimits {
    if (groups < 1 || keyBytes < 1 || runBytes < 1 || mergedBytes < 1) {
      throw new IllegalArgumentException("limits of a table without groups");
    }
  }

  /**
   * Creates limits of a table; runs are repartitioned when they have as many bytes as its keys may
   * have.
   */
  GroupLimits(int groups, long keyBytes) {
    this(groups, keyBytes, keyBytes, Long.MAX_VALUE);
  }

  /**
   * Returns limits that suit a back end and its memory. On the host a table fits the caches as long
   * as keys are short; on a device it takes a part of the device's memory. Up to {@code
   * context.threadCount()} fragments may collect runs, each with as many drivers.
   *
   * @param context where the tables are
   * @param bytesPerGroup bytes of a group in a table
   */
  public static GroupLimits of(OperatorContext context, long bytesPerGroup) {
    int threads = context.threadCount();
    long share = context.kernelSpill().capacityInBytes() / SHARES / threads;
    GroupLimits most = of(context.backend());
    long groups = Math.max(MIN_GROUPS, share / bytesPerGroup);
    return new GroupLimits(
        (int) Math.min(most.groups, groups),
        Math.max(MIN_BYTES, Math.min(most.keyBytes, share)),
        Math.max(MIN_BYTES, Math.min(most.runBytes, RUNS_PER_TABLE * share / threads)),
        Math.max(MIN_MERGED_BYTES, share / MERGED_SHARES * SHARES));
  }

  /**
   * Returns the bytes that a table may take when memory is scarce: the tables of {@code
   * threadCount} fragments fit, each with {@code threadCount} tables.
   */
  static long bytesWhenScarce(OperatorContext context) {
    long capacity = context.kernelSpill().capacityInBytes();
    int threads = context.threadCount();
    return Math.max(MIN_BYTES, capacity / SHARES / threads / threads);
  }

  /**
   * Returns the bytes of a run when a table is released on request. Runs are small, because least
   * memory is free then.
   */
  static long releasedRunBytes(OperatorContext context) {
    long share = context.kernelSpill().capacityInBytes() / RELEASED_RUN_SHARES;
    return Math.max(MIN_RELEASED_RUN_BYTES, Math.min(MAX_RELEASED_RUN_BYTES, share));
  }

  private static GroupLimits of(Backend backend) {
    return backend.isBlockParallel()
        ? new GroupLimits(GROUPS_OF_DEVICE, KEY_BYTES_OF_DEVICE)
        : new GroupLimits(GROUPS_OF_CACHE, KEY_BYTES_OF_HOST, RUN_BYTES_OF_HOST, Long.MAX_VALUE);
  }

  /** Returns whether a table has reached a limit. */
  boolean areReachedBy(AggregateTable table) {
    return table.groupCount() >= groups || table.keyBytes() >= keyBytes;
  }

  /**
   * Returns whether a table has reached twice a limit: tables into which runs are merged may be so
   * large.
   */
  boolean areTwiceReachedBy(AggregateTable table) {
    return table.groupCount() / 2 >= groups || table.keyBytes() / 2 >= keyBytes;
  }

  /** Returns the bytes from which on it is worthwhile to release a table on request. */
  public long revocableBytes() {
    return Math.min(MIN_BYTES, (long) groups * MIN_GROUP_BYTES);
  }

  /**
   * Returns whether a table that merges a range of partitions is too large; never with a single
   * group.
   */
  boolean areExceededByMerged(AggregateTable table) {
    return table.groupCount() > 1 && table.bytes() > mergedBytes;
  }

  /**
   * Returns the bytes of a run that repartitioning makes. With many small runs, a reader of some
   * partitions reads little else. Few large runs cost less bookkeeping.
   */
  long dividedBytes() {
    return Math.max(MIN_DIVIDED_BYTES, Math.min(MAX_DIVIDED_BYTES, runBytes / DIVISIONS));
  }

  /** Returns how many rows a table takes at once, so that it does not exceed its limits by much. */
  int rows() {
    return Math.max(groups, MIN_GROUPS);
  }

  /** Returns how many tables hold so many groups and bytes of keys. */
  long tablesFor(long groupCount, long bytes) {
    return Math.max(1, Math.max(groupCount / groups, bytes / keyBytes));
  }
}
