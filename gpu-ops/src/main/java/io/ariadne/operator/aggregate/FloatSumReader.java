package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.kernel.tile.FloatSum;
import io.ariadne.operator.ErrorReplay;
import java.math.BigInteger;
import java.util.List;

/**
 * Reads sums whose buffer is a double. The exact sum is rounded once, here.
 *
 * @param sum offset of the sum in a record
 * @param isExact whether the sum is a 128-bit integer instead of a {@link FloatSum}
 * @param values reads the number of values
 * @param isAverage whether the buffer also has the number of values (Spark's Average: the sum of no
 *     values is 0) or only the sum (Spark's Sum: null without values)
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

  /** Returns the double that is nearest to a 128-bit integer. */
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
