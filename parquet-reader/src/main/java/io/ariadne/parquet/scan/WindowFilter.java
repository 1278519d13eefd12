package io.ariadne.parquet.scan;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.kernel.column.SelectRowsKernel;
import io.ariadne.parquet.column.RowSelection;
import java.util.List;

/**
 * Finds the rows of windows for which a predicate holds, conjunct by conjunct: the columns of one
 * are decoded only where those before it have left rows. Used by one thread at a time.
 */
final class WindowFilter {
  private final FilterConjuncts conjuncts;
  private final ScanWorker worker;
  private final RowGather rows;
  private final Columns columns;

  /** Decodes columns of windows. */
  interface Columns {
    /**
     * Decodes a column of a window.
     *
     * @param index number of the scan's column
     * @param firstRow first row in the row group
     * @param count rows
     * @param selection the rows that are wanted, null for all
     * @return owned by the caller
     */
    ColumnVector decode(int index, long firstRow, int count, RowSelection selection);
  }

  /**
   * Creates a filter.
   *
   * @param conjuncts the predicate
   * @param worker what to work with
   * @param rows picks rows out
   * @param columns decodes
   */
  WindowFilter(FilterConjuncts conjuncts, ScanWorker worker, RowGather rows, Columns columns) {
    this.conjuncts = conjuncts;
    this.worker = worker;
    this.rows = rows;
    this.columns = columns;
  }

  /**
   * Lists the rows of a window for which the predicate holds.
   *
   * @param decoded gets the columns that were decoded, owned by the caller also when this throws;
   *     of rows that are not listed they may have anything
   * @param firstRow first row in the row group
   * @param count rows
   * @param indices room for row numbers; not written when all rows are listed
   * @return their number
   */
  int select(ColumnVector[] decoded, long firstRow, int count, MemoryBuffer indices) {
    int selected = count;
    for (List<Integer> stage : worker.order().stages(conjuncts)) {
      if (selected == 0) {
        break;
      }
      long begin = System.nanoTime();
      int before = selected;
      FilePredicate predicate = conjuncts.join(stage);
      RowSelection left = selected == count ? null : new RowSelection(indices, selected);
      for (int column : predicate.columns()) {
        if (decoded[column] == null) {
          decoded[column] = columns.decode(column, firstRow, count, left);
        }
      }
      selected =
          left == null
              ? predicate.select(decoded, count, indices, worker)
              : selectAmong(predicate, decoded, left);
      if (stage.size() == 1) {
        worker.order().add(conjuncts, stage.get(0), before, selected, System.nanoTime() - begin);
      }
    }
    return selected;
  }

  /** Evaluates a predicate for rows picked out; leaves those for which it holds. */
  private int selectAmong(FilePredicate predicate, ColumnVector[] decoded, RowSelection left) {
    ColumnVector[] picked = new ColumnVector[decoded.length];
    long bytes = SelectRowsKernel.indexBytes(left.count());
    try (MemoryBuffer found = worker.decode().allocator().allocate(bytes)) {
      for (int column : predicate.columns()) {
        picked[column] = rows.gather(decoded[column], left.indices(), left.count());
      }
      int count = predicate.select(picked, left.count(), found, worker);
      long rowNumbers = left.indices().address();
      for (int i = 0;
          i < count;
          i++) { // numbers ascend, so that none is overwritten before it is read
        long at = rowNumbers + (long) found.getInt((long) i * Integer.BYTES) * Integer.BYTES;
        Memory.putInt(rowNumbers + (long) i * Integer.BYTES, Memory.getInt(at));
      }
      closed(picked).rethrow();
      return count;
    } catch (RuntimeException | Error e) {
      closed(picked).suppressIn(e);
      throw e;
    }
  }

  /** Closes columns; says what failed. */
  private static Closer closed(ColumnVector[] columns) {
    Closer closer = new Closer();
    for (int i = 0; i < columns.length; i++) {
      closer.close(columns[i]);
      columns[i] = null;
    }
    return closer;
  }
}
