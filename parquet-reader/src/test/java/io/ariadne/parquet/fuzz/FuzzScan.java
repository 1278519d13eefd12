package io.ariadne.parquet.fuzz;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Field;
import io.ariadne.expression.Expression;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.scan.FileSlice;
import io.ariadne.parquet.scan.ParquetScanOptions;
import io.ariadne.parquet.scan.ParquetScanSpec;
import io.ariadne.parquet.scan.ParquetSplitSource;
import io.ariadne.parquet.scan.ScanColumn;
import io.ariadne.parquet.testing.MemoryFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Scans files in memory and records every value.
 *
 * @param context where the scans run
 */
record FuzzScan(OperatorContext context) {
  /** Rows after which a scan is stopped: a small file may legally have billions of nulls. */
  static final int MAX_ROWS = 1 << 14;

  private static final int BATCH_ROWS = 64;
  private static final long PART_BYTES = 256;

  /**
   * The result of a scan.
   *
   * @param columns the values of each column, in the order of the fields
   * @param rowCount number of rows
   * @param isWhole whether the scan reached its end
   */
  record Rows(List<List<Object>> columns, long rowCount, boolean isWhole) {}

  /** Returns the rows of a file; errors of the scan pass through. */
  Rows read(String name, byte[] file, List<Field> fields, Expression predicate) {
    ParquetScanSpec spec =
        new ParquetScanSpec(
            fields.stream().map(field -> ScanColumn.ofFile(field)).toList(),
            predicate,
            options(file));
    FileSlice slice = new FileSlice(name, 0, file.length, List.of());
    List<List<Object>> columns = new ArrayList<>();
    fields.forEach(field -> columns.add(new ArrayList<>()));
    long rows = 0;
    try (SplitSource source =
        ParquetSplitSource.factory(spec, List.of(slice), any -> new MemoryFile(name, file))
            .create(context, key -> new LongAdder())) {
      for (Split split = source.next(); split != null; split = source.next()) {
        try (Split driven = split) {
          rows += read(driven, columns, rows);
        }
        if (rows > MAX_ROWS) {
          return new Rows(columns, rows, false);
        }
      }
    }
    return new Rows(columns, rows, true);
  }

  /** Returns options under which half of all files are read in parts, depending on their bytes. */
  private static ParquetScanOptions options(byte[] file) {
    ParquetScanOptions options = ParquetScanOptions.DEFAULT.withBatchRows(BATCH_ROWS);
    return Arrays.hashCode(file) % 2 == 0 ? options : options.withPartBytes(PART_BYTES);
  }

  private long read(Split split, List<List<Object>> columns, long before) {
    long rows = 0;
    for (RecordBatch batch = split.next(); batch != null; batch = split.next()) {
      try (RecordBatch read = context.transfer().toHost(batch)) {
        rows += read.rowCount();
        for (int i = 0; i < read.columnCount(); i++) {
          add(read, i, columns.get(i));
        }
      }
      if (before + rows > MAX_ROWS) {
        break;
      }
    }
    return rows;
  }

  private static void add(RecordBatch batch, int index, List<Object> values) {
    if (batch.column(index).type() != batch.schema().field(index).type()
        && !batch.column(index).type().equals(batch.schema().field(index).type())) {
      throw new AssertionError("type of column " + batch.schema().field(index));
    }
    ColumnReader reader = new ColumnReader(batch.column(index));
    for (int row = 0; row < batch.rowCount(); row++) {
      Object value = reader.getValue(row);
      values.add(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value);
    }
  }
}
