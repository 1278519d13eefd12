package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.expression.StringParser;
import io.ariadne.expression.TypeKind;
import io.ariadne.expression.compiler.ZoneTables;
import io.ariadne.kernel.abi.ParseType;
import io.ariadne.kernel.column.CastInput;
import io.ariadne.kernel.column.StringParserKernel;
import io.ariadne.operator.OperatorContext;
import java.time.ZoneId;

/** Runs {@link StringParser}s with a kernel. Used by one thread at a time. */
final class ParsedStrings extends ColumnCast<StringParser> {
  private final StringParserKernel kernel;

  ParsedStrings(OperatorContext context, KernelDictionaries dictionaries) {
    super(context, dictionaries, ZoneTables::byLocalTime);
    this.kernel = new StringParserKernel(context.backend(), context.kernelAllocator());
  }

  @Override
  ColumnVector cast(StringParser function, ZoneBuffers.Table zone, int rowCount, CastInput text) {
    return kernel.run(
        typeOf(function),
        function.resultType(),
        function.mayRaise(),
        zone.buffer(),
        zone.steps(),
        rowCount,
        text);
  }

  @Override
  ZoneId zoneOf(StringParser function) {
    return function.zone();
  }

  private static int typeOf(StringParser function) {
    return switch (TypeKind.of(function.resultType())) {
      case BOOLEAN -> ParseType.PARSE_BOOLEAN;
      case INT8, INT16, INT32, INT64 ->
          function.isWhole() ? ParseType.PARSE_WHOLE : ParseType.PARSE_INTEGER;
      case FLOAT32, FLOAT64 -> ParseType.PARSE_FLOATING;
      case DECIMAL -> ParseType.PARSE_DECIMAL;
      case DATE -> ParseType.PARSE_DATE;
      case TIMESTAMP -> ParseType.PARSE_TIMESTAMP;
      case TIMESTAMP_NTZ -> ParseType.PARSE_LOCAL_TIMESTAMP;
      default -> throw new IllegalArgumentException("strings read as " + function.resultType());
    };
  }

  @Override
  StringParserKernel kernel() {
    return kernel;
  }
}
