package io.ariadne.operator;

import java.util.List;

/** Turns the accumulators of one aggregate into its buffer columns. Immutable. */
interface AggregateReader {
  /**
   * Writes the buffer columns of groups.
   *
   * @param records the accumulators
   * @param groups the groups to write
   * @param buffers the aggregate's buffer columns
   * @param replay makes the exception of a sum that overflows
   */
  void read(
      AccumulatorTable records,
      GroupSelection groups,
      List<ColumnWriter> buffers,
      ErrorReplay replay);
}
