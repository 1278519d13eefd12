package io.ariadne.benchmark.table;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * A table of a standard benchmark that computes its rows, part by part. Spark serializes it for the
 * tasks that write it.
 */
public interface GeneratedTable extends Serializable {
  /** Returns the name of the table and of its folder. */
  String name();

  /** Returns its columns. */
  StructType schema();

  /** Returns the largest number of parts in which the rows of a scale factor can be computed. */
  int parts(double scale);

  /** Returns the number of files of a scale factor. */
  default int files(double scale) {
    return parts(scale);
  }

  /**
   * Computes some of the rows.
   *
   * @param scale scale factor
   * @param part number of the part, from 1 to {@code parts}
   * @param parts number of parts, at most {@link #parts}
   */
  Iterator<Row> rows(double scale, int part, int parts);
}
