package io.ariadne.parquet.scan;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.kernel.column.SelectRowsKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.column.RowSelection;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Reads the rows of windows that a predicate is true for, on a device: evaluates the predicate
 * there and keeps the rows of each column where the column is. Used by one thread at a time.
 */
final class DeviceWindow {
  /**
   * Where fewer than one of so many rows is wanted, the host gets the row numbers, to skip pages
   * without a wanted row.
   */
  private static final int SPARSE = 64;

  private final FileScan file;
  private final DeviceScan device;
  private final RowGather hostRows;
  private final WindowFilter.Columns columns;
  private final IntPredicate isConstant;
  private final OperatorContext context;
  private boolean isDecoding;

  /**
   * Creates a reader of windows.
   *
   * @param file the columns and the predicate
   * @param device launches
   * @param hostRows extracts rows of columns in host memory
   * @param columns decodes columns
   * @param isConstant whether a column of the scan has the same value in all rows
   */
  DeviceWindow(
      FileScan file,
      DeviceScan device,
      RowGather hostRows,
      WindowFilter.Columns columns,
      IntPredicate isConstant) {
    this.file = file;
    this.device = device;
    this.hostRows = hostRows;
    this.columns = columns;
    this.isConstant = isConstant;
    this.context = device.columns().context();
  }

  /**
   * Reads the rows of a window for which the predicate is true.
   *
   * @param decoded receives the columns that were decoded, owned by the caller also when this
   *     throws; null where the batch has them
   * @param firstRow first row, relative to the row group
   * @param count number of rows
   * @param isAnySelected called when some rows are wanted, before other columns are decoded
   * @return the rows, owned by the caller; null for none
   */
  RecordBatch read(ColumnVector[] decoded, long firstRow, int count, Runnable isAnySelected) {
    isDecoding = false;
    BufferAllocator allocator = context.kernelAllocator();
    try (MemoryBuffer indices = allocator.allocate(SelectRowsKernel.indexBytes(count))) {
      int selected = select(decoded, firstRow, count, indices);
      if (selected == 0) {
        device.columns().check();
        return null;
      }
      isAnySelected.run();
      return selected == count
          ? whole(decoded, firstRow, count)
          : gathered(decoded, firstRow, count, indices, selected);
    }
  }

  /**
   * Returns whether the window can be read again after {@link #read} has thrown for lack of memory:
   * not if a column could not be decoded.
   */
  boolean mayRepeat() {
    return !isDecoding;
  }

  private ColumnVector decode(int index, long firstRow, int count, RowSelection selection) {
    isDecoding = true;
    ColumnVector column = columns.decode(index, firstRow, count, selection);
    isDecoding = false;
    return column;
  }

  private int select(ColumnVector[] decoded, long firstRow, int count, MemoryBuffer indices) {
    FilePredicate predicate = file.predicate();
    for (int column : predicate.columns()) {
      if (decoded[column] == null) {
        decoded[column] = decode(column, firstRow, count, null);
      }
    }
    try {
      return predicate.select(decoded, count, indices, device.predicates());
    } catch (RuntimeException e) {
      // A page that could not be decoded comes first: the predicate has seen wrong values.
      device.columns().check();
      throw e;
    }
  }

  private RecordBatch whole(ColumnVector[] decoded, long firstRow, int count) {
    for (int i = 0; i < decoded.length; i++) {
      if (decoded[i] == null) {
        decoded[i] = decode(i, firstRow, count, null);
      }
    }
    device.columns().check();
    RecordBatch batch =
        new RecordBatch(file.schema(), count, Arrays.asList(decoded), file.number());
    Arrays.fill(decoded, null);
    return batch;
  }

  /** Keeps the selected rows of every column. */
  private RecordBatch gathered(
      ColumnVector[] decoded, long firstRow, int count, MemoryBuffer indices, int selected) {
    ColumnVector[] kept = new ColumnVector[decoded.length];
    try (HostIndices host = new HostIndices(indices, selected)) {
      boolean isSparse = selected < count / SPARSE;
      RowSelection wanted = isSparse ? new RowSelection(host.get(), selected) : null;
      for (int i = 0; i < decoded.length; i++) {
        boolean isDecoded = decoded[i] != null;
        if (!isDecoded && isConstant.test(i)) {
          kept[i] = decode(i, firstRow, selected, null);
          continue;
        }
        if (!isDecoded) {
          decoded[i] = decode(i, firstRow, count, wanted);
        }
        kept[i] =
            isOnDevice(decoded[i])
                ? device.columns().gather().queue(decoded[i], indices, selected, false)
                : hostRows.gather(decoded[i], host.get(), selected);
      }
      device.columns().check();
      close(decoded);
      return new RecordBatch(file.schema(), selected, Arrays.asList(kept), file.number());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      Arrays.stream(kept).forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private static boolean isOnDevice(ColumnVector column) {
    return !ColumnTransfer.isOnHost(column.data());
  }

  private static void close(ColumnVector[] columns) {
    Closer closer = new Closer();
    for (int i = 0; i < columns.length; i++) {
      closer.close(columns[i]);
      columns[i] = null;
    }
    closer.rethrow();
  }

  /** The numbers of the wanted rows in host memory, copied when they are first needed. */
  private final class HostIndices implements AutoCloseable {
    private final MemoryBuffer indices;
    private final int count;
    private MemoryBuffer copy;

    HostIndices(MemoryBuffer indices, int count) {
      this.indices = indices;
      this.count = count;
    }

    MemoryBuffer get() {
      if (copy == null) {
        long bytes = (long) count * Integer.BYTES;
        copy = context.allocator().allocate(SelectRowsKernel.indexBytes(count));
        context.backend().read(indices, 0, copy.address(), bytes);
      }
      return copy;
    }

    @Override
    public void close() {
      if (copy != null) {
        copy.close();
      }
    }
  }
}
