package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;

/**
 * Decodes one column of a row group, window of rows by window of rows, forwards. Used by one
 * thread.
 */
public interface ColumnDecoder extends AutoCloseable {
  /**
   * Decodes a window of rows.
   *
   * @param firstRow first row in the row group, not before the end of the last window
   * @param rowCount rows, no more than follow
   * @param selection the wanted rows, null for all; what other rows get is unspecified
   * @return a column of {@code rowCount} rows, owned by the caller
   * @throws io.ariadne.error.EngineException CORRUPT_DATA when the chunk is damaged
   */
  ColumnVector decode(long firstRow, int rowCount, RowSelection selection);

  @Override
  void close();
}
