package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;

/**
 * Decodes one column of a row group in windows of rows. Windows only move forward. Used by one
 * thread.
 */
public interface ColumnDecoder extends AutoCloseable {
  /**
   * Decodes a window of rows.
   *
   * @param firstRow first row, relative to the row group, not before the end of the last window
   * @param rowCount number of rows, which the row group has
   * @param selection the wanted rows, null for all; values of other rows are unspecified
   * @return a column of {@code rowCount} rows, owned by the caller
   * @throws io.ariadne.error.EngineException CORRUPT_DATA when the chunk is damaged
   */
  ColumnVector decode(long firstRow, int rowCount, RowSelection selection);

  @Override
  void close();
}
