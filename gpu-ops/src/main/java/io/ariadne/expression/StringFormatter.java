package io.ariadne.expression;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import java.time.ZoneId;

/**
 * Formats values as strings, as Spark's CAST does; null where the value is null. Never raises.
 *
 * @param argumentType BOOLEAN, an integer, a floating point type, a decimal, DATE32,
 *     TIMESTAMP_MICROS or TIMESTAMP_NTZ_MICROS
 * @param isPlain whether decimals never have an exponent
 * @param zone the time zone of the strings, for TIMESTAMP_MICROS; else null
 * @param host computes the same on the host
 */
public record StringFormatter(
    DataType argumentType, boolean isPlain, ZoneId zone, ColumnFunction host)
    implements StringFunction {
  private static final long serialVersionUID = 1L;

  @Override
  public DataType resultType() {
    return PrimitiveType.STRING;
  }

  @Override
  public String description() {
    return "string of " + TypeKind.of(argumentType).sqlName();
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    return host.apply(arguments, allocator);
  }
}
