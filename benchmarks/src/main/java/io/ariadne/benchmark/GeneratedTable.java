package io.ariadne.benchmark;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * A table of a standard benchmark, whose rows are computed, part by part. Sent to the tasks that
 * write it.
 */
interface GeneratedTable extends Serializable {
  /** Returns the table's name, which is its folder's too. */
  String name();

  /** Returns its columns. */
  StructType schema();

  /** Returns of how many parts, at most, its rows are computed at a scale factor. */
  int parts(double scale);

  /** Returns into how many files it is written at a scale factor. */
  default int files(double scale) {
    return parts(scale);
  }

  /**
   * Computes some of the rows.
   *
   * @param scale scale factor
   * @param part which part, from 1 to {@code parts}
   * @param parts of how many, which need not be {@link #parts}
   */
  Iterator<Row> rows(double scale, int part, int parts);
}
