package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Field;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Runs scans on one thread and records their rows and counters. */
final class ScanRun {
  private final OperatorContext context;
  private final Map<String, LongAdder> counters = new TreeMap<>();
  private int dictionaryColumns;
  private int deviceColumns;
  private int batches;

  private final ScanStorage storage;

  ScanRun(OperatorContext context) {
    this(context, ScanStorage.DIRECT);
  }

  ScanRun(OperatorContext context, ScanStorage storage) {
    this.context = context;
    this.storage = storage;
  }

  /** Returns a slice that covers a file. */
  static FileSlice whole(Path file) throws IOException {
    return new FileSlice(file.toString(), 0, Files.size(file), List.of());
  }

  /** Returns a counter of the scans so far. */
  long counter(String name) {
    return counters.containsKey(name) ? counters.get(name).sum() : 0;
  }

  /** Returns how many columns of batches were dictionary-encoded. */
  int dictionaryColumns() {
    return dictionaryColumns;
  }

  /** Returns how many columns of batches were in memory of a device. */
  int deviceColumns() {
    return deviceColumns;
  }

  /** Returns the rows of files, as lists of values. */
  List<List<Object>> rows(ParquetScanSpec spec, List<FileSlice> slices) {
    List<List<Object>> rows = new ArrayList<>();
    scan(spec, slices, true, batch -> add(context.transfer().toHost(batch), rows));
    return rows;
  }

  /** Returns the rows of files, of which several may be in one batch. */
  List<List<Object>> combinedRows(ParquetScanSpec spec, List<FileSlice> slices) {
    List<List<Object>> rows = new ArrayList<>();
    scan(spec, slices, false, batch -> add(context.transfer().toHost(batch), rows));
    return rows;
  }

  /** Returns how many batches had rows. */
  int batches() {
    return batches;
  }

  /** Reads files and drops their rows; returns how many columns a device has decoded. */
  int deviceColumns(ParquetScanSpec spec, List<FileSlice> slices) {
    int before = deviceColumns;
    scan(spec, slices, true, RecordBatch::close);
    return deviceColumns - before;
  }

  private void scan(
      ParquetScanSpec spec,
      List<FileSlice> slices,
      boolean keepsFilesApart,
      Consumer<RecordBatch> consumer) {
    try (SplitSource source =
        ParquetSplitSource.factory(
                spec,
                slices,
                storage.opener(),
                ReferenceReader.NONE,
                keepsFilesApart,
                storage.readAhead())
            .create(context, name -> counters.computeIfAbsent(name, key -> new LongAdder()))) {
      for (Split split = next(source); split != null; split = next(source)) {
        try (Split driven = split) {
          for (RecordBatch batch = next(driven); batch != null; batch = next(driven)) {
            for (int i = 0; i < batch.columnCount(); i++) {
              deviceColumns += context.transfer().isOnHost(batch.column(i)) ? 0 : 1;
            }
            batches += batch.rowCount() == 0 ? 0 : 1;
            consumer.accept(batch);
          }
        }
      }
    }
  }

  private static Split next(SplitSource source) {
    source.isBlocked().join();
    return source.next();
  }

  private static RecordBatch next(Split split) {
    split.isBlocked().join();
    return split.next();
  }

  /** Adds the rows of a batch, which it closes. */
  private void add(RecordBatch batch, List<List<Object>> rows) {
    try (batch) {
      addValues(batch, rows);
    }
  }

  private void addValues(RecordBatch batch, List<List<Object>> rows) {
    List<ColumnReader> readers = new ArrayList<>();
    for (int i = 0; i < batch.columnCount(); i++) {
      Field field = batch.schema().field(i);
      assertEquals(field.type(), batch.column(i).type(), field.name());
      readers.add(new ColumnReader(batch.column(i)));
      dictionaryColumns += batch.column(i).dictionary() == null ? 0 : 1;
    }
    for (int row = 0; row < batch.rowCount(); row++) {
      List<Object> values = new ArrayList<>();
      for (ColumnReader reader : readers) {
        values.add(ExpectedColumns.comparable(reader.getValue(row)));
      }
      rows.add(values);
    }
  }
}
