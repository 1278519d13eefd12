package io.ariadne.operator.aggregate;

import io.ariadne.backend.Backend;
import io.ariadne.operator.OperatorContext;

/**
 * What the table of one thread of work may hold before it gives its groups up. Bounds are looked at
 * after each batch, so that a table passes them by what one batch brings.
 *
 * @param groups how many groups
 * @param keyBytes bytes of their keys, those of long strings included
 * @param runBytes bytes of runs that are divided by partition together when memory is scarce
 * @param mergedBytes bytes of a table into which the groups of a range of partitions are merged;
 *     when it has more, the range is divided by further bits of the hashes
 */
public record GroupLimits(int groups, long keyBytes, long runBytes, long mergedBytes) {
  private static final int GROUPS_OF_CACHE = 1 << 16;
  private static final int GROUPS_OF_DEVICE = 1 << 24;
  private static final long KEY_BYTES_OF_HOST = 128L << 20;
  private static final long KEY_BYTES_OF_DEVICE = 512L << 20;
  private static final long RUN_BYTES_OF_HOST = 16L << 20;

  /** The part of a memory space that the tables of one fragment may take. */
  private static final int SHARES = 16;

  /** What a table may take in any case. */
  private static final long LEAST_BYTES = 256 << 10;

  private static final int LEAST_GROUPS = 1024;

  /** What a group takes at least. */
  private static final int LEAST_GROUP_BYTES = 16;

  /** The part of a memory space that the tables of one fragment may take into which is merged. */
  private static final int MERGED_SHARES = 2;

  private static final long LEAST_MERGED_BYTES = 4 << 20;

  /**
   * How many times as much runs take that are divided together: of each such generation one of its
   * divisions is in memory when its partitions are merged, so there must not be many.
   */
  private static final int RUNS_PER_TABLE = 4;

  /** Into how many runs those that are divided together are divided, unless they are small. */
  private static final int DIVISIONS = 64;

  private static final long LEAST_DIVIDED_BYTES = 32 << 10;
  private static final long MOST_DIVIDED_BYTES = 256 << 10;

  /** The part of a memory space that a run takes when a table is put away for others. */
  private static final int PUT_AWAY_SHARES = 256;

  private static final long LEAST_PUT_AWAY_BYTES = 64 << 10;
  private static final long MOST_PUT_AWAY_BYTES = 4 << 20;

  /** Bounds that are never met. */
  static final GroupLimits NONE =
      new GroupLimits(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

  /** Checks that there is room for a group. */
  public GroupLimits {
    if (groups < 1 || keyBytes < 1 || runBytes < 1 || mergedBytes < 1) {
      throw new IllegalArgumentException("no room for groups");
    }
  }

  /** Makes bounds of a table; runs are divided when they hold as much as its keys may. */
  GroupLimits(int groups, long keyBytes) {
    this(groups, keyBytes, keyBytes, Long.MAX_VALUE);
  }

  /**
   * Returns what suits a back end and its memory: on the host what fits the caches, as long as keys
   * are short; on a device a part of its memory. Runs collect on all threads of as many fragments
   * as there are threads.
   *
   * @param context where tables are
   * @param bytesPerGroup what a group takes in a table
   */
  public static GroupLimits of(OperatorContext context, long bytesPerGroup) {
    int threads = context.threadCount();
    long share = context.kernelSpill().capacityInBytes() / SHARES / threads;
    GroupLimits most = of(context.backend());
    long groups = Math.max(LEAST_GROUPS, share / bytesPerGroup);
    return new GroupLimits(
        (int) Math.min(most.groups, groups),
        Math.max(LEAST_BYTES, Math.min(most.keyBytes, share)),
        Math.max(LEAST_BYTES, Math.min(most.runBytes, RUNS_PER_TABLE * share / threads)),
        Math.max(LEAST_MERGED_BYTES, share / MERGED_SHARES * SHARES));
  }

  /**
   * Returns the bytes that a table may take when memory is scarce: less, so that the tables of as
   * many fragments as there are threads fit, each with as many tables.
   */
  static long bytesWhenScarce(OperatorContext context) {
    long capacity = context.kernelSpill().capacityInBytes();
    int threads = context.threadCount();
    return Math.max(LEAST_BYTES, capacity / SHARES / threads / threads);
  }

  /**
   * Returns the bytes of a run when a table is put away for others: little, for it is made when
   * there is least memory.
   */
  static long putAwayBytes(OperatorContext context) {
    long share = context.kernelSpill().capacityInBytes() / PUT_AWAY_SHARES;
    return Math.max(LEAST_PUT_AWAY_BYTES, Math.min(MOST_PUT_AWAY_BYTES, share));
  }

  private static GroupLimits of(Backend backend) {
    return backend.isBlockParallel()
        ? new GroupLimits(GROUPS_OF_DEVICE, KEY_BYTES_OF_DEVICE)
        : new GroupLimits(GROUPS_OF_CACHE, KEY_BYTES_OF_HOST, RUN_BYTES_OF_HOST, Long.MAX_VALUE);
  }

  /** Returns whether a table has reached a bound. */
  boolean areReachedBy(AggregateTable table) {
    return table.groupCount() >= groups || table.keyBytes() >= keyBytes;
  }

  /** Returns whether a table into which runs are merged is as large as one may become. */
  boolean areTwiceReachedBy(AggregateTable table) {
    return table.groupCount() / 2 >= groups || table.keyBytes() / 2 >= keyBytes;
  }

  /** Returns the bytes from which on putting a table away for others is worth while. */
  public long revocableBytes() {
    return Math.min(LEAST_BYTES, (long) groups * LEAST_GROUP_BYTES);
  }

  /** Returns whether a table of a range of partitions has more than it may; never one group. */
  boolean areExceededByMerged(AggregateTable table) {
    return table.groupCount() > 1 && table.bytes() > mergedBytes;
  }

  /**
   * Returns the bytes of a run that is made when runs are divided. Many small ones let whoever
   * reads some partitions read little else; fewer and larger ones are less to keep account of.
   */
  long dividedBytes() {
    return Math.max(LEAST_DIVIDED_BYTES, Math.min(MOST_DIVIDED_BYTES, runBytes / DIVISIONS));
  }

  /** Returns how many rows a table takes in at once, so that it does not pass its bounds by far. */
  int rows() {
    return Math.max(groups, LEAST_GROUPS);
  }

  /** Returns how many tables are needed for some groups. */
  long tablesFor(long groupCount, long bytes) {
    return Math.max(1, Math.max(groupCount / groups, bytes / keyBytes));
  }
}
