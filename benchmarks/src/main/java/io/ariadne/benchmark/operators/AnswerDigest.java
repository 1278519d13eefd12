package io.ariadne.benchmark.operators;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Computes a hash of the rows of an answer. Values that move to another row change the hash. */
final class AnswerDigest {
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  private final boolean isOrdered;
  private long value;

  /**
   * Creates the digest of an empty answer.
   *
   * @param isOrdered whether the order of the rows matters
   */
  AnswerDigest(boolean isOrdered) {
    this.isOrdered = isOrdered;
  }

  /** Adds the rows of a batch. */
  void add(RecordBatch batch) {
    List<ColumnReader> columns = new ArrayList<>();
    for (int column = 0; column < batch.columnCount(); column++) {
      columns.add(new ColumnReader(batch.column(column)));
    }
    for (int row = 0; row < batch.rowCount(); row++) {
      long hash = 0;
      for (ColumnReader column : columns) {
        hash = mix(hash, Objects.hashCode(column.getValue(row)));
      }
      value = isOrdered ? mix(value, hash) : value + hash;
    }
  }

  private static long mix(long hash, long next) {
    long mixed = (hash ^ next) * MULTIPLIER;
    return (mixed ^ (mixed >>> 32)) * MULTIPLIER;
  }

  long value() {
    return value;
  }
}
