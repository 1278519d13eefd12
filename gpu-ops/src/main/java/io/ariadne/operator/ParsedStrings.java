package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.expression.StringParser;
import io.ariadne.expression.TypeKind;
import io.ariadne.expression.compiler.ZoneTables;
import io.ariadne.kernel.abi.ParseType;
import io.ariadne.kernel.column.CastInput;
import io.ariadne.kernel.column.StringParserKernel;

/**
 * Calls of {@link StringParser}s by a kernel: once per entry where the column is a dictionary
 * column of few entries which all say something. Used by one thread at a time.
 */
final class ParsedStrings implements AutoCloseable {
  private final OperatorContext context;
  private final KernelDictionaries dictionaries;
  private final StringParserKernel kernel;
  private final ZoneBuffers zones;

  ParsedStrings(OperatorContext context, KernelDictionaries dictionaries) {
    this.context = context;
    this.dictionaries = dictionaries;
    this.kernel = new StringParserKernel(context.backend(), context.kernelAllocator());
    this.zones = new ZoneBuffers(context, ZoneTables::byLocalTime);
  }

  /**
   * Makes a call.
   *
   * @param function what to read
   * @param argument strings where kernels see them; stays the caller's
   * @return a column owned by the caller; null when the function of the host has to compute it
   */
  ColumnVector apply(StringParser function, ColumnVector argument) {
    if (argument.dictionary() == null) {
      return parse(function, new CastInput(argument, argument), argument.rowCount());
    }
    ColumnVector entries = dictionaries.entries(argument.dictionary());
    if (DictionaryDecoder.pays(argument)) {
      ColumnVector values = parse(function, new CastInput(entries, entries), entries.rowCount());
      if (values != null && values.validity() == null) {
        return EntryResults.of(values, argument, context);
      }
      if (values != null) {
        values.close();
      }
    }
    return parse(function, new CastInput(entries, argument), argument.rowCount());
  }

  private ColumnVector parse(StringParser function, CastInput text, int rowCount) {
    ZoneBuffers.Table zone = zones.of(function.zone());
    return kernel.run(
        typeOf(function),
        function.resultType(),
        function.mayRaise(),
        zone.buffer(),
        zone.steps(),
        rowCount,
        text);
  }

  private static int typeOf(StringParser function) {
    return switch (TypeKind.of(function.resultType())) {
      case BOOLEAN -> ParseType.PARSE_BOOLEAN;
      case INT8, INT16, INT32, INT64 ->
          function.isWhole() ? ParseType.PARSE_WHOLE : ParseType.PARSE_INTEGER;
      case DECIMAL -> ParseType.PARSE_DECIMAL;
      case DATE -> ParseType.PARSE_DATE;
      case TIMESTAMP -> ParseType.PARSE_TIMESTAMP;
      case TIMESTAMP_NTZ -> ParseType.PARSE_LOCAL_TIMESTAMP;
      default -> throw new IllegalArgumentException("strings read as " + function.resultType());
    };
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(zones);
    closer.close(kernel);
    closer.rethrow();
  }
}
