package io.ariadne.parquet.prune;

import io.ariadne.parquet.metadata.ColumnIndex;
import io.ariadne.parquet.metadata.OffsetIndex;

/**
 * Supplies the page indexes of one row group to {@link ScanPruner#rows}, reading them on demand.
 */
public interface PageIndexes {
  /**
   * Returns the offset index of a column, null when the file has none.
   *
   * @param column index in the predicate's input
   */
  OffsetIndex offsets(int column);

  /**
   * Returns the column index of a column, null when nothing is known. Called only where {@link
   * #offsets} is not null.
   *
   * @param column index in the predicate's input
   */
  ColumnIndex statistics(int column);
}
