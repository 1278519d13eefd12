package io.ariadne.parquet.scan;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.Literal;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.kernel.column.SelectRowsKernel;
import io.ariadne.operator.Operator;
import io.ariadne.parquet.column.ColumnDecoder;
import io.ariadne.parquet.column.DeviceColumns;
import io.ariadne.parquet.column.FlatColumnDecoder;
import io.ariadne.parquet.column.RowSelection;
import io.ariadne.parquet.metadata.RowGroup;
import io.ariadne.parquet.metadata.SchemaNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * Reads one row group in windows: first the predicate's columns, then the others for the rows that
 * pass the predicate. Used by one thread at a time.
 */
final class RowGroupScan implements AutoCloseable {
  private final FileScan file;
  private final ScanWorker worker;
  private final ScanStatistics statistics;
  private final WindowRows windowRows;
  private final FilePredicate predicate;
  private final RowWindows windows;
  private final RowGather rows;
  private final WindowFilter filter;
  private final ColumnDecoder[] decoders;
  private final DeviceColumns device; // null without a device
  private final DeviceWindow deviceWindow; // null where the host evaluates the predicate

  /** The pages that are read ahead, stay the piece's; null when none are. */
  private final PrefetchedGroup prefetched;

  private SmallGroupReader small;
  private long nextRow;

  /** Time spent on decoding since filtering of the current window began. */
  private long columnNanos;

  /**
   * Prepares to read; reads nothing yet.
   *
   * @param file the file's columns and predicate
   * @param reader the file, stays the caller's
   * @param piece the rows
   * @param worker launches, codecs and compiled predicates, stays the caller's
   * @param limits how much to decode at once
   * @param statistics counts rows and time
   */
  RowGroupScan(
      FileScan file,
      ByteRangeReader reader,
      GroupPiece piece,
      ScanWorker worker,
      WindowLimits limits,
      ScanStatistics statistics) {
    this.file = file;
    this.worker = worker;
    this.statistics = statistics;
    this.prefetched = piece.prefetched();
    RowGroup group = piece.group();
    DividedGroup.Part part = piece.part();
    List<SchemaNode> read = file.columns().leaves();
    this.windowRows =
        new WindowRows(WindowSize.rows(group, read, limits), WindowSize.isTextUnknown(group, read));
    this.predicate = piece.filters() ? file.predicate() : null;
    RowGroupIndexes indexes =
        part == null
            ? new RowGroupIndexes(file.metadata(), group, reader, worker.pages())
            : part.group().indexes();
    this.windows =
        part == null
            ? file.windows(reader, group, piece.filters(), indexes, worker.pages(), statistics)
            : part.windows();
    this.nextRow = windows.firstFrom(0);
    this.rows = new RowGather(worker.decode().gather(), worker.decode().allocator());
    this.filter =
        predicate == null ? null : new WindowFilter(file.conjuncts(), worker, rows, this::column);
    this.decoders = new ColumnDecoder[file.columns().sources().size()];
    this.device = worker.device() == null ? null : worker.device().columns();
    this.deviceWindow =
        isPredicateForDevice(group)
            ? new DeviceWindow(
                file, worker.device(), rows, this::column, column -> decoders[column] == null)
            : null;
    try {
      boolean isWhole = windows.rowCount() == group.rowCount() && prefetched == null;
      small = isWhole ? readSmall(reader, group) : null;
      RowGroupLeaves leaves =
          new RowGroupLeaves(
              file.metadata().file(),
              readers(reader),
              group,
              windows,
              indexes,
              worker,
              part == null ? null : part.group().dictionaries());
      for (int i = 0; i < decoders.length; i++) {
        decoders[i] = file.decoder(i, leaves);
      }
      if (predicate != null && nextRow >= 0 && !mayMatch(group)) {
        nextRow = -1;
        statistics.rowGroupsPruned.add(part == null || part.isFirst() ? 1 : 0);
        statistics.rowsPruned.add(windows.rowCount());
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(this);
      closer.suppressIn(e);
      throw e;
    }
  }

  private IntFunction<ByteRangeReader> readers(ByteRangeReader reader) {
    if (prefetched != null) {
      return prefetched::reader;
    }
    ByteRangeReader one = small == null ? reader : small;
    return leaf -> one;
  }

  private SmallGroupReader readSmall(ByteRangeReader reader, RowGroup group) {
    try {
      return SmallGroupReader.of(
          reader, group, file.columns().leaves(), predicate == null, worker.io());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a future that completes when the pages of the next window are in memory. */
  CompletableFuture<Void> isBlocked() {
    if (prefetched == null || nextRow < 0) {
      return Operator.NOT_BLOCKED;
    }
    return prefetched.arrived(Math.min(nextRow + windowRows.next(), windows.endOf(nextRow)));
  }

  /** Returns whether all rows have been read. */
  boolean isFinished() {
    return nextRow < 0;
  }

  /**
   * Returns the rows of the next window, owned by the caller; null when no row of the window
   * passes.
   */
  RecordBatch next() {
    file.columns().checkTypes();
    long first = nextRow;
    int count = (int) Math.min(windowRows.next(), windows.endOf(first) - first);
    nextRow = windows.firstFrom(first + count);
    long textBefore = worker.statistics().textBytes;
    RecordBatch batch = predicate == null ? all(first, count) : filtered(first, count);
    windowRows.add(count, worker.statistics().textBytes - textBefore);
    return batch;
  }

  /** Returns whether the dictionaries of the predicate's columns leave a row that may match. */
  private boolean mayMatch(RowGroup group) {
    return file.pruning()
        .byDictionaries(
            group,
            input ->
                input < predicate.columns().size()
                        && decoders[predicate.columns().get(input)]
                            instanceof FlatColumnDecoder column
                    ? column.dictionary()
                    : null);
  }

  private RecordBatch all(long firstRow, int count) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (int i = 0; i < decoders.length; i++) {
        columns.add(column(i, firstRow, count, null));
      }
      if (device != null) {
        device.check();
      }
      return new RecordBatch(file.schema(), count, columns, file.number());
    } catch (RuntimeException | Error e) {
      closeAfter(e, columns);
      throw e;
    }
  }

  /** Decodes a column of a window, or repeats its constant. */
  private ColumnVector column(int index, long firstRow, int count, RowSelection selection) {
    if (decoders[index] == null) {
      Literal value = ((FileColumns.Constant) file.columns().sources().get(index)).value();
      return ConstantColumn.of(value, count, worker.decode().allocator(), worker.decode().gather());
    }
    long begin = System.nanoTime();
    ColumnVector column = decoders[index].decode(firstRow, count, selection);
    long nanos = System.nanoTime() - begin;
    columnNanos += nanos;
    statistics.decodeNanos.add(nanos);
    return column;
  }

  /** Returns whether a device decodes the columns that the predicate reads. */
  private boolean isPredicateForDevice(RowGroup group) {
    return device != null
        && predicate != null
        && DeviceScan.suits(group, file.columns().leavesOf(predicate.columns()));
  }

  private RecordBatch filtered(long firstRow, int count) {
    ColumnVector[] decoded = new ColumnVector[decoders.length];
    try {
      boolean isOnDevice = deviceWindow != null && device.suits(count);
      return isOnDevice
          ? filteredOnDevice(decoded, firstRow, count)
          : filteredOnHost(decoded, firstRow, count);
    } catch (RuntimeException | Error e) {
      closeAfter(e, Arrays.asList(decoded));
      throw e;
    }
  }

  private RecordBatch filteredOnDevice(ColumnVector[] decoded, long firstRow, int count) {
    long begin = System.nanoTime();
    columnNanos = 0;
    RecordBatch batch;
    try {
      batch = deviceWindow.read(decoded, firstRow, count, this::needRest);
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !deviceWindow.mayRepeat()) {
        throw e;
      }
      moveToHost(decoded);
      return filteredOnHost(decoded, firstRow, count);
    }
    statistics.filterNanos.add(System.nanoTime() - begin - columnNanos);
    statistics.rowsFiltered.add(count - (batch == null ? 0 : batch.rowCount()));
    close(decoded);
    return batch;
  }

  /** Copies the columns that the device has decoded. */
  private void moveToHost(ColumnVector[] decoded) {
    device.check();
    ColumnTransfer transfer = device.context().transfer();
    for (int i = 0; i < decoded.length; i++) {
      if (decoded[i] != null && !transfer.isOnHost(decoded[i])) {
        ColumnVector copy = transfer.copyToHost(decoded[i]);
        decoded[i].close();
        decoded[i] = copy;
      }
    }
  }

  private void needRest() {
    if (prefetched != null) {
      prefetched.needRest();
    }
  }

  /** Filters by the host, which needs all columns in its memory. */
  private RecordBatch filteredOnHost(ColumnVector[] decoded, long firstRow, int count) {
    if (device == null) {
      return selected(decoded, firstRow, count);
    }
    device.pause(true);
    try {
      return selected(decoded, firstRow, count);
    } finally {
      device.pause(false);
    }
  }

  private RecordBatch selected(ColumnVector[] decoded, long firstRow, int count) {
    long indexBytes = SelectRowsKernel.indexBytes(count);
    try (MemoryBuffer indices = worker.decode().allocator().allocate(indexBytes)) {
      long begin = System.nanoTime();
      columnNanos = 0;
      int selected = filter.select(decoded, firstRow, count, indices);
      statistics.filterNanos.add(System.nanoTime() - begin - columnNanos);
      statistics.rowsFiltered.add(count - selected);
      if (selected == 0) {
        close(decoded);
        return null;
      }
      needRest();
      return selected == count
          ? completed(decoded, firstRow, count)
          : gathered(decoded, firstRow, count, new RowSelection(indices, selected));
    }
  }

  private static void close(ColumnVector[] columns) {
    Closer closer = new Closer();
    for (int i = 0; i < columns.length; i++) {
      closer.close(columns[i]);
      columns[i] = null;
    }
    closer.rethrow();
  }

  /** Completes the predicate's columns with the columns that the predicate does not read. */
  private RecordBatch completed(ColumnVector[] decoded, long firstRow, int count) {
    for (int i = 0; i < decoded.length; i++) {
      if (decoded[i] == null) {
        decoded[i] = column(i, firstRow, count, null);
      }
    }
    RecordBatch batch = new RecordBatch(file.schema(), count, List.of(decoded), file.number());
    Arrays.fill(decoded, null);
    return batch;
  }

  /** Keeps the selected rows of every column. */
  private RecordBatch gathered(
      ColumnVector[] decoded, long firstRow, int count, RowSelection selection) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (int i = 0; i < decoded.length; i++) {
        columns.add(gathered(decoded, i, firstRow, count, selection));
      }
      return new RecordBatch(file.schema(), selection.count(), columns, file.number());
    } catch (RuntimeException | Error e) {
      closeAfter(e, columns);
      throw e;
    }
  }

  private ColumnVector gathered(
      ColumnVector[] decoded, int index, long firstRow, int count, RowSelection selection) {
    if (decoded[index] == null && decoders[index] == null) {
      return column(index, firstRow, selection.count(), null);
    }
    if (decoded[index] == null) {
      decoded[index] = column(index, firstRow, count, selection);
    }
    try (ColumnVector all = decoded[index]) {
      decoded[index] = null;
      return rows.gather(all, selection.indices(), selection.count());
    }
  }

  private static void closeAfter(Throwable failure, List<ColumnVector> columns) {
    Closer closer = new Closer();
    columns.forEach(closer::close);
    closer.suppressIn(failure);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    if (device != null) {
      closer.close(device::forget);
    }
    for (ColumnDecoder decoder : decoders) {
      closer.close(decoder);
    }
    closer.close(small);
    small = null;
    closer.rethrow();
  }
}
