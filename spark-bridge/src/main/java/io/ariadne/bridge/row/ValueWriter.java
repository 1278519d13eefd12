package io.ariadne.bridge.row;

import io.ariadne.columnar.builder.ColumnBuilder;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/**
 * Appends values of Catalyst rows, arrays and maps to one column.
 *
 * <p>Not thread-safe; writes to a builder that the caller owns.
 */
public abstract class ValueWriter {
  private final ColumnBuilder builder;

  ValueWriter(ColumnBuilder builder) {
    this.builder = builder;
  }

  /**
   * Creates the writer for a builder's type and layout.
   *
   * @param builder a builder of a type that {@code SparkTypes} maps to; stays owned by the caller
   */
  public static ValueWriter create(ColumnBuilder builder) {
    return ValueWriters.create(builder, new ByteCounter());
  }

  /**
   * Appends the value at {@code ordinal}, null or not.
   *
   * @param values a row or array with the column's Spark type
   * @param ordinal position in it
   */
  public final void write(SpecializedGetters values, int ordinal) {
    if (values.isNullAt(ordinal)) {
      builder.appendNull();
    } else {
      writeValue(values, ordinal);
    }
  }

  /** Appends a value that is not null. */
  abstract void writeValue(SpecializedGetters values, int ordinal);
}
