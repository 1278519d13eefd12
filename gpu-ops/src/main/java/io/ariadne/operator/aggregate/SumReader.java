package io.ariadne.operator.aggregate;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.ExpressionError;
import io.ariadne.operator.ErrorReplay;
import java.math.BigInteger;
import java.util.List;

/**
 * Reads exact sums of 128-bit or 192-bit integers. A sum is checked against the range of its type
 * only here. So a sum whose parts overflow and cancel each other has its exact value, whatever the
 * order of rows.
 */
final class SumReader implements RecordReader {
  /** The buffer columns besides the sum. */
  enum Form {
    /** None; the sum is null without values (Spark's Sum of integers). */
    INTEGER,
    /**
     * A flag that tells whether there was no value (Spark's Sum of decimals); the sum of no values
     * is 0.
     */
    DECIMAL,
    /** The number of values (Spark's Average of decimals); the sum of no values is 0. */
    AVERAGE
  }

  /**
   * The accumulators in a record.
   *
   * @param sum offset of the sum
   * @param words 64-bit words of the sum
   * @param values reads the number of values
   * @param overflows offset of the number of partial sums that overflowed, or {@link #NONE}
   */
  record Offsets(int sum, int words, CountReader values, int overflows) {
    static final int NONE = -1;
  }

  private static final int WORDS_OF_192_BITS = 3;

  private final AggregateCall call;
  private final Form form;
  private final Offsets offsets;
  private final boolean raises;
  private final long limitLow;
  private final long limitHigh;

  SumReader(AggregateCall call, Form form, Offsets offsets, boolean endsInResult) {
    this.call = call;
    this.form = form;
    this.offsets = offsets;
    boolean isAnsi = call.mode() == EvaluationMode.ANSI;
    this.raises = isAnsi && (endsInResult || form == Form.INTEGER);
    BigInteger limit =
        call.bufferFields().get(0).type() instanceof DecimalType decimal
            ? BigInteger.TEN.pow(decimal.precision()).subtract(BigInteger.ONE)
            : BigInteger.valueOf(Long.MAX_VALUE);
    this.limitLow = limit.longValue();
    this.limitHigh = limit.shiftRight(Long.SIZE).longValue();
  }

  @Override
  public void read(
      AccumulatorTable records,
      GroupSelection groups,
      List<ColumnWriter> buffers,
      ErrorReplay replay) {
    for (int row = 0; row < groups.rowCount(); row++) {
      long record = records.address(groups.group(row));
      long values = offsets.values().read(record);
      boolean isOverflown =
          offsets.overflows() != Offsets.NONE && Memory.getLong(record + offsets.overflows()) != 0;
      if (!writeSum(record + offsets.sum(), values, isOverflown, row, buffers.get(0))) {
        throw replay.toException(call.origin(), ExpressionError.SUM_OVERFLOW, null, -1);
      }
      if (form == Form.DECIMAL) {
        buffers.get(1).setLong(row, values == 0 && !isOverflown ? 1 : 0);
      } else if (form == Form.AVERAGE) {
        buffers.get(1).setLong(row, values);
      }
    }
  }

  /** Writes one sum. Returns false when the sum is out of range and that is an error. */
  private boolean writeSum(
      long address, long values, boolean isOverflown, int row, ColumnWriter sums) {
    long low = Memory.getLong(address);
    long high = Memory.getLong(address + Long.BYTES);
    if (values == 0 && !isOverflown && form == Form.INTEGER) {
      sums.setNull(row);
      return true;
    }
    if (!isOverflown && fits(address, low, high)) {
      sums.setWide(row, low, high);
      return true;
    }
    if (!raises && form == Form.INTEGER) {
      sums.setLong(row, low);
    } else if (!raises) {
      sums.setNull(row);
    }
    return !raises;
  }

  private boolean fits(long address, long low, long high) {
    if (offsets.words() == WORDS_OF_192_BITS) {
      long top = Memory.getLong(address + 2L * Long.BYTES);
      if (top != high >> (Long.SIZE - 1)) {
        return false;
      }
    }
    if (form == Form.INTEGER) {
      return high == low >> (Long.SIZE - 1);
    }
    return compare(high, low, limitHigh, limitLow) <= 0
        && compare(high, low, ~limitHigh, ~limitLow) > 0;
  }

  /** Compares 128-bit integers. */
  private static int compare(long highA, long lowA, long highB, long lowB) {
    int high = Long.compare(highA, highB);
    return high != 0 ? high : Long.compareUnsigned(lowA, lowB);
  }
}
