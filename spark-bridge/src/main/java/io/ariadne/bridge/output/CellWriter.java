package io.ariadne.bridge.output;

import io.ariadne.bridge.vector.AriadneColumnVector;

/** Writes one column's values into rows. */
interface CellWriter {
  /** Reserves the space that values need after the slots. */
  default void reserve(AriadneColumnVector column, int start, RowBuffer rows) {}

  /**
   * Writes values and marks nulls.
   *
   * @param column the values
   * @param start the column's row whose value goes to the first of {@code rows}
   * @param rows rows whose layout is fixed; bytes that have not been written are zero
   */
  void write(AriadneColumnVector column, int start, RowBuffer rows);
}
