package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * What a scan reads of every file. Immutable, serialisable.
 *
 * @param columns the columns put out, in order
 * @param predicate BOOLEAN over the columns that decides which rows are put out, null for all rows;
 *     a null result counts as false. It has no bridged part and cannot raise.
 * @param options how files are understood
 */
public record ParquetScanSpec(
    List<ScanColumn> columns, Expression predicate, ParquetScanOptions options)
    implements Serializable {
  /** Copies the list and checks for nulls. */
  public ParquetScanSpec {
    columns = List.copyOf(columns);
    Objects.requireNonNull(options, "options is null");
  }

  /** Returns the same with batches of this many rows at most. */
  public ParquetScanSpec withBatchRows(int rows) {
    return new ParquetScanSpec(columns, predicate, options.withBatchRows(rows));
  }

  /** Returns the columns put out. */
  public Schema schema() {
    return new Schema(columns.stream().map(ScanColumn::field).toList());
  }
}
