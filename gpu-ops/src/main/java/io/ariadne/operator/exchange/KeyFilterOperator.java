package io.ariadne.operator.exchange;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Drops the rows whose key the task's {@link KeyFilter} does not contain, and collects hashes of
 * the others for the filters of other exchanges. Rows keep their order.
 *
 * <p>The last input column has the hash of the key that is tested. Columns of hashes between the
 * rows and the last column are not in the output.
 *
 * <p>An input batch yields at most one output batch, in host memory, with the same sequence number.
 * When all rows pass, columns pass without a copy. A filter that lets nearly all rows pass is not
 * tested any more: the exchange copies the other rows once more, when it sorts them.
 */
public final class KeyFilterOperator extends HostBatchOperator {
  /** After so many rows it is decided whether the filter is worth testing. */
  private static final long TRIAL_ROWS = 100_000;

  /** A filter is worth testing if it drops at least one row of so many. */
  private static final int WORTH_ONE_OF = 4;

  private final ExchangeFilters.Task filters;
  private final List<Integer> hashColumns;
  private final GatherKernel gather;
  private final RowGather rowGather;

  /** The rows of the current batch that pass. */
  private int[] kept = {};

  private long testedRows;
  private long droppedRows;

  KeyFilterOperator(
      Schema output,
      ExchangeFilters.Task filters,
      List<Integer> hashColumns,
      OperatorContext context) {
    super(output, context);
    this.filters = filters;
    this.hashColumns = hashColumns;
    this.gather = new GatherKernel(context.backend().host(), context.allocator());
    this.rowGather = new RowGather(gather, context.allocator());
  }

  @Override
  RecordBatch outputOf(RecordBatch batch) {
    int rowCount = batch.rowCount();
    int count = rowCount;
    KeyFilter filter = isWorthTesting() ? filters.filter() : null;
    if (filter != null) {
      count = test(batch, filter);
    }
    boolean keepsAll = count == rowCount;
    for (int i = 0; i < hashColumns.size(); i++) {
      filters.add(i, hashes(batch, hashColumns.get(i), keepsAll, count));
    }
    RecordBatch output = count == 0 ? null : keepsAll ? unchanged(batch) : gathered(batch, count);
    if (filter != null) {
      testedRows += rowCount;
      droppedRows += rowCount - count;
      filters.dropped(rowCount - count);
    }
    return output;
  }

  private boolean isWorthTesting() {
    return testedRows < TRIAL_ROWS || droppedRows >= testedRows / WORTH_ONE_OF;
  }

  /** Finds the rows that pass; returns how many there are. */
  private int test(RecordBatch batch, KeyFilter filter) {
    if (kept.length < batch.rowCount()) {
      kept = new int[batch.rowCount()];
    }
    int[] count = {0};
    readNumbers(
        batch.column(batch.columnCount() - 1),
        numbers -> count[0] = test(numbers, batch.rowCount(), filter));
    return count[0];
  }

  private int test(long numbers, int rowCount, KeyFilter filter) {
    int count = 0;
    for (int row = 0; row < rowCount; row++) {
      // Written in any case: a branch would be mispredicted.
      kept[count] = row;
      count += filter.mayContain(number(numbers, row)) ? 1 : 0;
    }
    return count;
  }

  /** Returns the hashes of rows that pass, one for neighbours with the same. */
  private int[] hashes(RecordBatch batch, int column, boolean keepsAll, int count) {
    int[] hashes = new int[count];
    int[] end = {0};
    readNumbers(
        batch.column(column),
        numbers -> {
          for (int i = 0; i < count; i++) {
            int hash = number(numbers, keepsAll ? i : kept[i]);
            if (end[0] == 0 || hashes[end[0] - 1] != hash) {
              hashes[end[0]++] = hash;
            }
          }
        });
    return end[0] == count ? hashes : Arrays.copyOf(hashes, end[0]);
  }

  private static int number(long numbers, int row) {
    return Memory.getInt(numbers + (long) row * Integer.BYTES);
  }

  private RecordBatch unchanged(RecordBatch batch) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int column : outputColumns(batch)) {
      columns.add(batch.takeColumn(column));
    }
    return new RecordBatch(outputSchema(), batch.rowCount(), columns, batch.sequence());
  }

  private RecordBatch gathered(RecordBatch batch, int count) {
    List<ColumnVector> columns = new ArrayList<>();
    try (MemoryBuffer rows = context().allocator().allocate((long) count * Integer.BYTES)) {
      for (int i = 0; i < count; i++) {
        Memory.putInt(rows.address() + (long) i * Integer.BYTES, kept[i]);
      }
      for (int column : outputColumns(batch)) {
        columns.add(rowGather.gather(batch.column(column), rows, count));
      }
      return new RecordBatch(outputSchema(), count, columns, batch.sequence());
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Returns the input columns that are in the output: the first ones, and the last one. */
  private int[] outputColumns(RecordBatch batch) {
    int[] columns = new int[outputSchema().columnCount()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = i;
    }
    columns[columns.length - 1] = batch.columnCount() - 1;
    return columns;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(super::close);
    closer.close(gather);
    closer.rethrow();
  }
}
