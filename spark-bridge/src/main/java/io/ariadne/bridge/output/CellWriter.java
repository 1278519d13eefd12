package io.ariadne.bridge.output;

import io.ariadne.bridge.vector.AriadneColumnVector;

/** Writes one column's values into rows. */
interface CellWriter {
  /** Adds the room that values need behind the slots. */
  default void reserve(AriadneColumnVector column, int start, RowBuffer rows) {}

  /**
   * Writes values, and marks nulls.
   *
   * @param column the values
   * @param start the value of the first row
   * @param rows laid out rows, of zeroes where nothing was written
   */
  void write(AriadneColumnVector column, int start, RowBuffer rows);
}
