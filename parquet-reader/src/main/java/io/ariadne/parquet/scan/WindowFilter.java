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
 * Finds the rows of windows for which a predicate is true, conjunct by conjunct. The columns of a
 * conjunct are decoded only where earlier conjuncts have left rows. Used by one thread at a time.
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
     * @param index index of the scan's column
     * @param firstRow first row, relative to the row group
     * @param count number of rows
     * @param selection the wanted rows, null for all
     * @return owned by the caller
     */
    ColumnVector decode(int index, long firstRow, int count, RowSelection selection);
  }

  /**
   * Creates a filter.
   *
   * @param conjuncts the predicate
   * @param worker launches and compiled predicates
   * @param rows extracts rows
   * @param columns decodes columns
   */
  WindowFilter(FilterConjuncts conjuncts, ScanWorker worker, RowGather rows, Columns columns) {
    this.conjuncts = conjuncts;
    this.worker = worker;
    this.rows = rows;
    this.columns = columns;
  }

  /**
   * Lists the rows of a window for which the predicate is true.
   *
   * @param decoded receives the columns that were decoded, owned by the caller also when this
   *     throws; values of rows that are not listed are unspecified
   * @param firstRow first row, relative to the row group
   * @param count number of rows
   * @param indices memory for row numbers; not written when all rows are listed
   * @return number of rows listed
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
              ? predicate.select(decoded, count, indices, worker.predicates())
              : selectAmong(predicate, decoded, left);
      if (stage.size() == 1) {
        worker.order().add(conjuncts, stage.get(0), before, selected, System.nanoTime() - begin);
      }
    }
    return selected;
  }

  /** Evaluates a predicate for extracted rows; keeps those for which it is true. */
  private int selectAmong(FilePredicate predicate, ColumnVector[] decoded, RowSelection left) {
    ColumnVector[] picked = new ColumnVector[decoded.length];
    long bytes = SelectRowsKernel.indexBytes(left.count());
    try (MemoryBuffer found = worker.decode().allocator().allocate(bytes)) {
      for (int column : predicate.columns()) {
        picked[column] = rows.gather(decoded[column], left.indices(), left.count());
      }
      int count = predicate.select(picked, left.count(), found, worker.predicates());
      long rowNumbers = left.indices().address();
      for (int i = 0; i < count; i++) { // ascending, so no number is overwritten unread
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

  /** Closes columns and returns the closer with the failures. */
  private static Closer closed(ColumnVector[] columns) {
    Closer closer = new Closer();
    for (int i = 0; i < columns.length; i++) {
      closer.close(columns[i]);
      columns[i] = null;
    }
    return closer;
  }
}
