package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.kernel.tile.FloatSum;
import io.ariadne.operator.ErrorReplay;
import java.math.BigInteger;
import java.util.List;

/**
 * Reads sums whose buffer is a double: rounded once, here.
 *
 * @param sum bytes of the sum in a record
 * @param isExact whether it is a 128-bit integer, not a {@link FloatSum}
 * @param values the number of values
 * @param isAverage whether the buffer has the number of values too (Spark's Average: the sum of
 *     none is 0), or the sum only (Spark's Sum: null without a value)
 */
record FloatSumReader(int sum, boolean isExact, CountReader values, boolean isAverage)
    implements RecordReader {
  @Override
  public void read(
      AccumulatorTable records,
      GroupSelection groups,
      List<ColumnWriter> buffers,
      ErrorReplay replay) {
    for (int row = 0; row < groups.rowCount(); row++) {
      long record = records.address(groups.group(row));
      long count = values.read(record);
      if (count == 0 && !isAverage) {
        buffers.get(0).setNull(row);
      } else {
        double value = isExact ? integer(record + sum) : FloatSum.read(record + sum);
        buffers.get(0).setLong(row, Double.doubleToLongBits(value));
      }
      if (isAverage) {
        buffers.get(1).setLong(row, count);
      }
    }
  }

  /** Returns the double next to a 128-bit integer. */
  private static double integer(long address) {
    long low = Memory.getLong(address);
    long high = Memory.getLong(address + Long.BYTES);
    if (high == low >> (Long.SIZE - 1)) {
      return low;
    }
    BigInteger lowest = new BigInteger(Long.toUnsignedString(low));
    return BigInteger.valueOf(high).shiftLeft(Long.SIZE).add(lowest).doubleValue();
  }
}
