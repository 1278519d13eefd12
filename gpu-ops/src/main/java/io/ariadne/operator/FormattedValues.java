package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.expression.StringFormatter;
import io.ariadne.expression.TypeKind;
import io.ariadne.expression.compiler.ZoneTables;
import io.ariadne.kernel.abi.FormatType;
import io.ariadne.kernel.column.CastInput;
import io.ariadne.kernel.column.StringFormatterKernel;

/**
 * Calls of {@link StringFormatter}s by kernels: once per entry where the column is a dictionary
 * column of few entries. Used by one thread at a time.
 */
final class FormattedValues implements AutoCloseable {
  private final OperatorContext context;
  private final KernelDictionaries dictionaries;
  private final StringFormatterKernel kernel;
  private final ZoneBuffers zones;

  FormattedValues(OperatorContext context, KernelDictionaries dictionaries) {
    this.context = context;
    this.dictionaries = dictionaries;
    this.kernel = new StringFormatterKernel(context.backend(), context.kernelAllocator());
    this.zones = new ZoneBuffers(context, ZoneTables::byInstant);
  }

  /**
   * Makes a call.
   *
   * @param function what to write
   * @param argument values where kernels see them; stays the caller's
   * @return a column owned by the caller; null when the function of the host has to compute it
   */
  ColumnVector apply(StringFormatter function, ColumnVector argument) {
    if (argument.dictionary() == null) {
      return format(function, new CastInput(argument, argument), argument.rowCount());
    }
    ColumnVector entries = dictionaries.entries(argument.dictionary());
    if (!DictionaryDecoder.pays(argument)) {
      return format(function, new CastInput(entries, argument), argument.rowCount());
    }
    ColumnVector values = format(function, new CastInput(entries, entries), entries.rowCount());
    return values == null ? null : EntryResults.of(values, argument, context);
  }

  private ColumnVector format(StringFormatter function, CastInput value, int rowCount) {
    int scale = function.argumentType() instanceof DecimalType decimal ? decimal.scale() : 0;
    ZoneBuffers.Table zone = zones.of(function.zone());
    return kernel.run(typeOf(function), scale, zone.buffer(), zone.steps(), rowCount, value);
  }

  private static int typeOf(StringFormatter function) {
    return switch (TypeKind.of(function.argumentType())) {
      case BOOLEAN -> FormatType.FORMAT_BOOLEAN;
      case INT8, INT16, INT32, INT64 -> FormatType.FORMAT_INTEGER;
      case DECIMAL ->
          function.isPlain() ? FormatType.FORMAT_PLAIN_DECIMAL : FormatType.FORMAT_DECIMAL;
      case DATE -> FormatType.FORMAT_DATE;
      case TIMESTAMP, TIMESTAMP_NTZ -> FormatType.FORMAT_TIMESTAMP;
      default -> throw new IllegalArgumentException("strings of " + function.argumentType());
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
