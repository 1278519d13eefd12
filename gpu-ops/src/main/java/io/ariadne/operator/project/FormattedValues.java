package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.expression.FloatText;
import io.ariadne.expression.StringFormatter;
import io.ariadne.expression.TypeKind;
import io.ariadne.expression.compiler.ZoneTables;
import io.ariadne.kernel.abi.FormatBound;
import io.ariadne.kernel.abi.FormatType;
import io.ariadne.kernel.column.CastInput;
import io.ariadne.kernel.column.StringFormatterKernel;
import io.ariadne.operator.OperatorContext;
import java.time.ZoneId;

/** Runs {@link StringFormatter}s with a kernel. Used by one thread at a time. */
final class FormattedValues extends ColumnCast<StringFormatter> {
  /**
   * Decimals in narrow layouts may have a larger scale; their plain text then has as many digits as
   * the scale.
   */
  private static final int MAX_SHORT_SCALE = 18;

  private final StringFormatterKernel kernel;

  FormattedValues(OperatorContext context, KernelDictionaries dictionaries) {
    super(context, dictionaries, ZoneTables::byInstant);
    this.kernel = new StringFormatterKernel(context.backend(), context.kernelAllocator());
  }

  @Override
  ColumnVector cast(
      StringFormatter function, ZoneBuffers.Table zone, int rowCount, CastInput value) {
    int scale = function.argumentType() instanceof DecimalType decimal ? decimal.scale() : 0;
    StringFormatterKernel.Format format =
        new StringFormatterKernel.Format(
            typeOf(function), scale, boundOf(function.argumentType(), value));
    return kernel.run(format, zone.buffer(), zone.steps(), rowCount, value);
  }

  @Override
  ZoneId zoneOf(StringFormatter function) {
    return function.zone();
  }

  private static int typeOf(StringFormatter function) {
    return switch (TypeKind.of(function.argumentType())) {
      case BOOLEAN -> FormatType.FORMAT_BOOLEAN;
      case INT8, INT16, INT32, INT64 -> FormatType.FORMAT_INTEGER;
      case FLOAT32, FLOAT64 ->
          FloatText.OF_THIS_JVM == FloatText.SHORTEST
              ? FormatType.FORMAT_FLOATING
              : FormatType.FORMAT_CLASSIC_FLOATING;
      case DECIMAL ->
          function.isPlain() ? FormatType.FORMAT_PLAIN_DECIMAL : FormatType.FORMAT_DECIMAL;
      case DATE -> FormatType.FORMAT_DATE;
      case TIMESTAMP, TIMESTAMP_NTZ -> FormatType.FORMAT_TIMESTAMP;
      default -> throw new IllegalArgumentException("strings of " + function.argumentType());
    };
  }

  /** Returns the size class of a value's text, from the type and the layout of the column. */
  private static int boundOf(DataType type, CastInput value) {
    return switch (TypeKind.of(type)) {
      case BOOLEAN, INT8, INT16, INT32 -> FormatBound.FORMAT_BOUND_SHORT;
      case DATE -> FormatBound.FORMAT_BOUND_DATE;
      case DECIMAL ->
          value.values().physicalType() == PhysicalType.I128
                  || ((DecimalType) type).scale() > MAX_SHORT_SCALE
              ? FormatBound.FORMAT_BOUND_LONG_DECIMAL
              : FormatBound.FORMAT_BOUND_DECIMAL;
      case TIMESTAMP, TIMESTAMP_NTZ -> FormatBound.FORMAT_BOUND_TIME;
      default -> FormatBound.FORMAT_BOUND_LONG;
    };
  }

  @Override
  StringFormatterKernel kernel() {
    return kernel;
  }
}
