package io.ariadne.parquet.prune;

import io.ariadne.parquet.metadata.ColumnIndex;
import io.ariadne.parquet.metadata.OffsetIndex;

/** Gives the page indexes of one row group to {@link ScanPruner#rows}; reads them when asked. */
public interface PageIndexes {
  /**
   * Returns where a column's pages are, null when the file does not say.
   *
   * @param column position in the predicate's input
   */
  OffsetIndex offsets(int column);

  /**
   * Returns what is known of a column's pages, null when nothing is; asked only where {@link
   * #offsets} has given something.
   *
   * @param column position in the predicate's input
   */
  ColumnIndex statistics(int column);
}
