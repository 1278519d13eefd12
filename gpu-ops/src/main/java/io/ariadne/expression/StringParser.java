package io.ariadne.expression;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.DataType;
import java.time.ZoneId;

/**
 * What strings say, as Spark's CAST reads it. Argument: a STRING column. Null where the string is,
 * and where it says nothing of the kind, unless that is an error. For strings that only the host
 * knows (zones by name, times of today, digits beyond ASCII, hexadecimal fractions, more than 19
 * digits whose last ones matter) it gets the batch.
 *
 * @param resultType BOOLEAN, an integer, a floating point type, a decimal, DATE32, TIMESTAMP_MICROS
 *     or TIMESTAMP_NTZ_MICROS
 * @param isWhole whether integers may have no fraction; else it is dropped
 * @param mayRaise whether a string that says nothing of the kind is an error, which the host raises
 * @param zone of timestamps without one, for TIMESTAMP_MICROS; else null
 * @param host computes the same
 */
public record StringParser(
    DataType resultType, boolean isWhole, boolean mayRaise, ZoneId zone, ColumnFunction host)
    implements StringFunction {
  private static final long serialVersionUID = 1L;

  @Override
  public String description() {
    return TypeKind.of(resultType).sqlName() + " of strings";
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    return host.apply(arguments, allocator);
  }
}
