package io.ariadne.operator;

import java.util.List;

/** Turns the accumulators of one aggregate into its buffer columns. Immutable. */
interface AggregateReader {
  /**
   * Writes the buffer columns of consecutive groups.
   *
   * @param records the accumulators
   * @param firstGroup group of row 0
   * @param rowCount groups to write
   * @param buffers the aggregate's buffer columns
   * @param replay makes the exception of a sum that overflows
   */
  void read(
      AccumulatorTable records,
      int firstGroup,
      int rowCount,
      List<ColumnWriter> buffers,
      ErrorReplay replay);
}
