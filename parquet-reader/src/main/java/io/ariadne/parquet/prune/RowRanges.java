package io.ariadne.parquet.prune;

import java.util.Arrays;

/**
 * Rows of a row group as ascending, disjoint ranges. Immutable.
 *
 * <p>Stored as bounds {@code from0, to0, from1, to1, ...}, each {@code to} exclusive and below the
 * next {@code from}.
 */
public final class RowRanges {
  /** No rows. */
  public static final RowRanges NONE = new RowRanges(new long[0]);

  private final long[] bounds;

  private RowRanges(long[] bounds) {
    this.bounds = bounds;
  }

  /** Returns the rows from 0 to {@code rowCount}. */
  public static RowRanges all(long rowCount) {
    return rowCount == 0 ? NONE : new RowRanges(new long[] {0, rowCount});
  }

  /** Collects ranges in ascending order and merges adjacent ones. */
  static final class Builder {
    private long[] bounds = new long[16];
    private int size;

    Builder add(long from, long to) {
      if (from >= to) {
        return this;
      }
      if (size > 0 && bounds[size - 1] >= from) {
        bounds[size - 1] = Math.max(bounds[size - 1], to);
        return this;
      }
      if (size == bounds.length) {
        bounds = Arrays.copyOf(bounds, 2 * size);
      }
      bounds[size++] = from;
      bounds[size++] = to;
      return this;
    }

    RowRanges build() {
      return size == 0 ? NONE : new RowRanges(Arrays.copyOf(bounds, size));
    }
  }

  /** Returns the number of ranges. */
  public int rangeCount() {
    return bounds.length / 2;
  }

  /** Returns the first row of a range. */
  public long from(int range) {
    return bounds[2 * range];
  }

  /** Returns the row after the last of a range. */
  public long to(int range) {
    return bounds[2 * range + 1];
  }

  /** Returns the number of rows. */
  public long rowCount() {
    long count = 0;
    for (int i = 0; i < bounds.length; i += 2) {
      count += bounds[i + 1] - bounds[i];
    }
    return count;
  }

  /** Returns whether there are no rows. */
  public boolean isEmpty() {
    return bounds.length == 0;
  }

  /**
   * Returns whether any row lies in a range.
   *
   * @param from first row
   * @param to end row, exclusive
   */
  public boolean overlaps(long from, long to) {
    int position = Arrays.binarySearch(bounds, from);
    int index = position >= 0 ? position : -position - 1;
    if ((index & 1) == 1) {
      // from lies inside a range, or at the end of one
      boolean isInside = position < 0;
      return from < to && (isInside || (index + 1 < bounds.length && bounds[index + 1] < to));
    }
    return index < bounds.length && bounds[index] < to;
  }

  /** Returns the rows that are in both. */
  public RowRanges intersect(RowRanges other) {
    Builder result = new Builder();
    int i = 0;
    int j = 0;
    while (i < bounds.length && j < other.bounds.length) {
      result.add(
          Math.max(bounds[i], other.bounds[j]), Math.min(bounds[i + 1], other.bounds[j + 1]));
      if (bounds[i + 1] < other.bounds[j + 1]) {
        i += 2;
      } else {
        j += 2;
      }
    }
    return result.build();
  }

  /** Returns the rows that are in either. */
  public RowRanges union(RowRanges other) {
    Builder result = new Builder();
    int i = 0;
    int j = 0;
    while (i < bounds.length || j < other.bounds.length) {
      boolean isHere =
          j == other.bounds.length || (i < bounds.length && bounds[i] <= other.bounds[j]);
      if (isHere) {
        result.add(bounds[i], bounds[i + 1]);
        i += 2;
      } else {
        result.add(other.bounds[j], other.bounds[j + 1]);
        j += 2;
      }
    }
    return result.build();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowRanges ranges && Arrays.equals(bounds, ranges.bounds);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bounds);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < bounds.length; i += 2) {
      text.append(i == 0 ? "" : ", ").append(bounds[i]).append("..").append(bounds[i + 1]);
    }
    return text.append("]").toString();
  }
}
