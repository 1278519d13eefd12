package io.ariadne.operator.sort;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.concat.ColumnConcatenator;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.concat.ConcatenationPolicy;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.kernel.sort.RowSort;
import io.ariadne.kernel.sort.SortKey;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts the rows of several batches in host memory, stably: concatenates the keys, lets the kernels
 * compute the order, and gathers the rows column by column. Used by one thread at a time.
 */
final class BatchSort implements AutoCloseable {
  private final SortSpec spec;
  private final OperatorContext context;
  private final RunCodes codes;
  private final GatherKernel gather;
  private final ColumnConcatenator concatenator;
  private final RowGather rowGather;
  private final RowSort rowSort;

  /**
   * Prepares.
   *
   * @param spec schema and sort columns
   * @param context memory and back end
   * @param codes dictionaries of columns that stay encoded; stay the caller's
   */
  BatchSort(SortSpec spec, OperatorContext context, RunCodes codes) {
    this.spec = spec;
    this.context = context;
    this.codes = codes;
    this.gather = new GatherKernel(context.backend().host(), context.allocator());
    try {
      this.concatenator =
          new ColumnConcatenator(context.allocator(), ConcatenationPolicy.SHARE, gather);
      this.rowGather = new RowGather(gather, context.allocator());
      this.rowSort = new RowSort(context.backend(), context.kernelAllocator());
    } catch (RuntimeException | Error e) {
      gather.close();
      throw e;
    }
  }

  /**
   * Sorts.
   *
   * @param pieces the rows, at least one; in host memory
   * @param limit the most rows of the result
   * @param batchRows the most rows of a batch of the result
   * @return the first rows in order, in host memory; owned by the caller
   */
  List<RecordBatch> sort(List<Piece> pieces, int limit, int batchRows) {
    int rowCount = pieces.stream().mapToInt(Piece::count).sum();
    try (RecordBatch whole = concat(pieces, rowCount);
        MemoryBuffer order = order(whole)) {
      return pick(whole, order, Math.min(limit, rowCount), batchRows);
    }
  }

  private RecordBatch concat(List<Piece> pieces, int rowCount) {
    return RecordBatch.of(spec.schema(), rowCount, 0, c -> concat(c, pieces));
  }

  private ColumnVector concat(int column, List<Piece> pieces) {
    List<ColumnSlice> slices = new ArrayList<>();
    for (Piece piece : pieces) {
      ColumnVector source = piece.batch().column(column);
      slices.add(new ColumnSlice(source, piece.first(), piece.count()));
    }
    CommonCodes.Recoding recoding = codes.recode(column, slices);
    return recoding == null
        ? concatenator.concatDecoded(spec.schema().field(column).type(), slices)
        : concatenator.concatCodes(slices, recoding.dictionary(), recoding.translations());
  }

  /** Returns the row numbers in order, in host memory. */
  private MemoryBuffer order(RecordBatch whole) {
    List<ColumnVector> copies = new ArrayList<>();
    try {
      List<SortKey> keys = new ArrayList<>();
      for (SortColumn key : spec.columns()) {
        ColumnVector column = whole.column(key.column());
        if (!context.transfer().isForKernels(column)) {
          column = context.transfer().copyToKernels(column);
          copies.add(column);
        }
        keys.add(new SortKey(column, key.direction()));
      }
      return toHost(rowSort.sort(keys, whole.rowCount()), whole.rowCount());
    } finally {
      copies.forEach(ColumnVector::close);
    }
  }

  private MemoryBuffer toHost(MemoryBuffer rowNumbers, int rowCount) {
    if (context.backend().tier() == MemoryTier.HOST) {
      return rowNumbers;
    }
    try (rowNumbers) {
      long bytes = (long) rowCount * Integer.BYTES;
      MemoryBuffer copy = context.allocator().allocate(bytes);
      try {
        context.backend().read(rowNumbers, 0, copy.address(), bytes);
        return copy;
      } catch (RuntimeException | Error e) {
        copy.close();
        throw e;
      }
    }
  }

  /** Gathers rows column by column and frees each source column. */
  private List<RecordBatch> pick(RecordBatch whole, MemoryBuffer order, int count, int batchRows) {
    List<List<ColumnVector>> batches = new ArrayList<>();
    for (int first = 0; first < count; first += batchRows) {
      batches.add(new ArrayList<>());
    }
    try {
      for (int c = 0; c < whole.columnCount(); c++) {
        try (ColumnVector column = whole.takeColumn(c)) {
          for (int b = 0; b < batches.size(); b++) {
            int rows = Math.min(batchRows, count - b * batchRows);
            // not closed: its memory belongs to the order
            MemoryBuffer numbers = slice(order, b * batchRows, rows);
            batches.get(b).add(rowGather.gather(column, numbers, rows));
          }
        }
      }
    } catch (RuntimeException | Error e) {
      throw closing(e, batches.stream().flatMap(List::stream).toList());
    }
    List<RecordBatch> sorted = new ArrayList<>();
    for (int b = 0; b < batches.size(); b++) {
      int rows = Math.min(batchRows, count - b * batchRows);
      sorted.add(new RecordBatch(spec.schema(), rows, batches.get(b), b));
    }
    return sorted;
  }

  private static MemoryBuffer slice(MemoryBuffer numbers, int first, int count) {
    long offset = (long) first * Integer.BYTES;
    long bytes = (long) count * Integer.BYTES;
    return new MemoryBuffer(numbers.address() + offset, bytes, bytes, numbers.tier(), buffer -> {});
  }

  private static RuntimeException closing(Throwable failure, List<ColumnVector> columns) {
    Closer closer = new Closer();
    columns.forEach(closer::close);
    closer.suppressIn(failure);
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(rowSort);
    closer.close(gather);
    closer.rethrow();
  }
}
