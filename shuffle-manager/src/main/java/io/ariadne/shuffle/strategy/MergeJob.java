package io.ariadne.shuffle.strategy;

import java.util.Arrays;

/**
 * Rows to merge: of one map attempt, for consecutive partitions.
 *
 * @param executor Spark's id of the executor that has them; null for this one
 * @param shuffleId the shuffle
 * @param mapId the map attempt
 * @param first the first partition
 * @param end behind the last partition
 * @param sizes about how many bytes each of the partitions has; 0 only for none
 * @param bytes their sum
 * @param drops whether the rows are given up when they are merged
 * @param arrivedNanos when they became known
 */
record MergeJob(
    String executor,
    int shuffleId,
    long mapId,
    int first,
    int end,
    int[] sizes,
    long bytes,
    boolean drops,
    long arrivedNanos) {
  private static final int OBJECT_BYTES = 128;

  /** Creates a job that has arrived now. */
  MergeJob(
      String executor, int shuffleId, long mapId, int first, int end, int[] sizes, boolean drops) {
    this(
        executor,
        shuffleId,
        mapId,
        first,
        end,
        sizes,
        Arrays.stream(sizes).asLongStream().sum(),
        drops,
        System.nanoTime());
  }

  /**
   * Returns a job for some partitions of a map output of this executor.
   *
   * @param sizes of all partitions
   */
  static MergeJob own(int shuffleId, long mapId, int first, int end, long[] sizes, boolean drops) {
    int[] some = new int[end - first];
    for (int i = 0; i < some.length; i++) {
      some[i] = (int) Math.min(sizes[first + i], Integer.MAX_VALUE);
    }
    return new MergeJob(null, shuffleId, mapId, first, end, some, drops);
  }

  /** Returns about how many bytes of heap the job takes. */
  long heapBytes() {
    return OBJECT_BYTES + (long) sizes.length * Integer.BYTES;
  }

  boolean isOwn() {
    return executor == null;
  }

  /** Returns about how many bytes the partition has; 0 only for none. */
  int sizeOf(int partition) {
    return sizes[partition - first];
  }

  /** Returns whether both are for the same partitions, so that one round may have them. */
  boolean isLike(MergeJob other) {
    return first == other.first && end == other.end;
  }
}
