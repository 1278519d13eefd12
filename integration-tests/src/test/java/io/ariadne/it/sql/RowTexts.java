package io.ariadne.it.sql;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Rows as texts in ascending order, to compare answers whose order is not determined. */
final class RowTexts {
  private RowTexts() {}

  /** Executes a query. */
  static List<String> sorted(Dataset<Row> query) {
    return sorted(query.collectAsList());
  }

  /** Returns the texts of rows. */
  static List<String> sorted(List<Row> rows) {
    return rows.stream().map(Row::toString).sorted().toList();
  }
}
