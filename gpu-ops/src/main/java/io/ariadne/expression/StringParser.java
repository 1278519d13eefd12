package io.ariadne.expression;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.DataType;
import java.time.ZoneId;

/**
 * Parses strings as Spark's CAST does. The argument is a STRING column. The result is null where
 * the string is null, and where it cannot be parsed unless that is an error. Kernels do not know
 * some strings (zones by name, times of today, digits beyond ASCII, hexadecimal fractions, more
 * than 19 digits of which the last ones matter); a batch with such a string is computed on the
 * host.
 *
 * @param resultType BOOLEAN, an integer, a floating point type, a decimal, DATE32, TIMESTAMP_MICROS
 *     or TIMESTAMP_NTZ_MICROS
 * @param isWhole whether integers must not have a fraction; otherwise it is dropped
 * @param mayRaise whether a string that cannot be parsed is an error, which the host raises
 * @param zone of timestamps without a zone, for TIMESTAMP_MICROS; else null
 * @param host computes the same on the host
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
