package io.ariadne.bridge.expression;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Estimates how many bytes of the JVM's heap the objects of groups take.
 *
 * <p>The bytes added to groups bound what they hold. When the bound is exceeded, some groups are
 * measured: the ones with the most bytes added, and an even sample of the others, extrapolated by
 * the bytes added to them. So neither groups that keep little of their input nor a few large groups
 * among many distort the estimate. Input that follows a measurement is assumed to be kept twice as
 * much as the input before it, so that groups that keep little are seldom measured again.
 */
final class HeapEstimate {
  private static final int LARGEST = 16;
  private static final int SAMPLED = 48;
  private static final int INITIAL_GROUPS = 16;

  /** The next measurement is due when this fraction of the bound has been added. */
  private static final int PARTS_BETWEEN = 8;

  /**
   * Smallest assumed fraction. At most twice the bound is added without a measurement, since data
   * may change.
   */
  private static final double LEAST_KEPT = 1.0 / 4;

  private final long bytesPerGroup;
  private long[] taken = new long[INITIAL_GROUPS];
  private int groups;
  private long total;
  private long measured;
  private long sinceMeasured;

  /** Fraction of the input that is kept, by the latest measurement. */
  private double kept = 1;

  /**
   * Creates an estimate without groups.
   *
   * @param bytesPerGroup size of a group without values
   */
  HeapEstimate(long bytesPerGroup) {
    this.bytesPerGroup = bytesPerGroup;
  }

  /** Ensures that there are at least so many groups. */
  void ensure(int groupCount) {
    if (groupCount > taken.length) {
      taken = Arrays.copyOf(taken, Math.max(groupCount, taken.length * 2));
    }
    if (groupCount > groups) {
      sinceMeasured += (groupCount - groups) * bytesPerGroup;
      groups = groupCount;
    }
  }

  /** Records input bytes of a group. */
  void add(int group, long bytes) {
    taken[group] += bytes;
    total += bytes;
    sinceMeasured += bytes;
  }

  /**
   * Returns the estimate.
   *
   * @param bound the estimate may be rough below this bound
   * @param sizeOf measures the size of a group
   */
  long bytes(long bound, IntToLongFunction sizeOf) {
    long most = measured + (long) (Math.min(1, 2 * kept) * sinceMeasured);
    if (most <= bound) {
      return most;
    }
    if (sinceMeasured > 0 && sinceMeasured >= bound / PARTS_BETWEEN) {
      long before = measured;
      measured = measure(sizeOf);
      kept = Math.max(LEAST_KEPT, Math.min(1, (double) (measured - before) / sinceMeasured));
      sinceMeasured = 0;
    }
    return measured;
  }

  private long measure(IntToLongFunction sizeOf) {
    int[] largest = largest();
    long size = groups * bytesPerGroup;
    long restTaken = total;
    for (int group : largest) {
      size += sizeOf.applyAsLong(group);
      restTaken -= taken[group];
    }
    long sampledSize = 0;
    long sampledTaken = 0;
    int step = Math.max(1, groups / SAMPLED);
    for (int group = 0; group < groups; group += step) {
      if (Arrays.binarySearch(largest, group) < 0) {
        sampledSize += sizeOf.applyAsLong(group);
        sampledTaken += taken[group];
      }
    }
    return sampledTaken == 0
        ? size
        : size + (long) ((double) sampledSize / sampledTaken * restTaken);
  }

  /** Returns the groups with the most bytes added, in the order of their numbers. */
  private int[] largest() {
    int[] largest = new int[Math.min(LARGEST, groups)];
    for (int i = 0; i < largest.length; i++) {
      largest[i] = i;
    }
    int smallest = smallestOf(largest);
    for (int group = largest.length; group < groups; group++) {
      if (taken[group] > taken[largest[smallest]]) {
        largest[smallest] = group;
        smallest = smallestOf(largest);
      }
    }
    Arrays.sort(largest);
    return largest;
  }

  private int smallestOf(int[] largest) {
    int smallest = 0;
    for (int i = 1; i < largest.length; i++) {
      smallest = taken[largest[i]] < taken[largest[smallest]] ? i : smallest;
    }
    return smallest;
  }

  /** Removes all groups. */
  void reset() {
    Arrays.fill(taken, 0, groups, 0);
    groups = 0;
    total = 0;
    measured = 0;
    sinceMeasured = 0;
    kept = 1;
  }
}
