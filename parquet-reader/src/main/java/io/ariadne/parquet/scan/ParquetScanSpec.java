package io.ariadne.parquet.scan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * What a scan reads from every file. Immutable, serialisable.
 *
 * @param columns the output columns, in order
 * @param predicate BOOLEAN condition over the columns that selects the output rows, null for all
 *     rows. A null result counts as false. It has no bridged part and cannot raise errors.
 * @param options how files are interpreted
 */
public record ParquetScanSpec(
    List<ScanColumn> columns, Expression predicate, ParquetScanOptions options)
    implements Serializable {
  /** Copies the list and checks for nulls. */
  public ParquetScanSpec {
    columns = List.copyOf(columns);
    Objects.requireNonNull(options, "options is null");
  }

  /** Returns the same scan with batches of at most this many rows. */
  public ParquetScanSpec withBatchRows(int rows) {
    return new ParquetScanSpec(columns, predicate, options.withBatchRows(rows));
  }

  /** Returns the output columns. */
  public Schema schema() {
    return new Schema(columns.stream().map(ScanColumn::field).toList());
  }
}
