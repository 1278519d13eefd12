package io.ariadne.fragment;

import java.util.Arrays;
import java.util.List;

/** Rows in any order, equal when they have the same hashes: texts are made only to be shown. */
final class RowBag {
  private static final long NULL = 0x632BE59BD9B4E019L;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
  private static final int SHIFT = 29;

  private final List<Long[]> rows;
  private final long[] hashes;

  RowBag(List<Long[]> rows) {
    this.rows = List.copyOf(rows);
    this.hashes = rows.stream().mapToLong(RowBag::hash).sorted().toArray();
  }

  private static long hash(Long[] row) {
    long hash = row.length;
    for (Long value : row) {
      hash = (hash ^ (value == null ? NULL : value)) * MULTIPLIER;
      hash ^= hash >>> SHIFT;
    }
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowBag bag && Arrays.equals(hashes, bag.hashes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(hashes);
  }

  @Override
  public String toString() {
    return rows.stream().map(Arrays::toString).sorted().toList().toString();
  }
}
