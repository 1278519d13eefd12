package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.expression.StringFunction;
import io.ariadne.kernel.column.CastInput;
import io.ariadne.operator.OperatorContext;
import java.time.ZoneId;
import java.util.function.Function;

/**
 * Casts columns with a kernel. A dictionary column with few entries is cast once per entry if every
 * entry has a result. Used by one thread at a time.
 *
 * @param <F> the kind of cast
 */
abstract class ColumnCast<F extends StringFunction> implements AutoCloseable {
  private final OperatorContext context;
  private final KernelDictionaries dictionaries;
  private final ZoneBuffers zones;

  /**
   * Creates a cast without zone tables.
   *
   * @param context where memory comes from
   * @param dictionaries gives entries in kernel memory
   * @param zoneTables makes the bytes of a time zone's table
   */
  ColumnCast(
      OperatorContext context,
      KernelDictionaries dictionaries,
      Function<ZoneId, byte[]> zoneTables) {
    this.context = context;
    this.dictionaries = dictionaries;
    this.zones = new ZoneBuffers(context, zoneTables);
  }

  /**
   * Launches the kernel.
   *
   * @param function what to compute
   * @param zone the table of its time zone
   * @param rowCount rows of the input
   * @param input in kernel memory; stays the caller's
   * @return a plain column owned by the caller; null when the function has to run on the host
   */
  abstract ColumnVector cast(F function, ZoneBuffers.Table zone, int rowCount, CastInput input);

  /** Returns the time zone of a cast; null when the cast depends on none. */
  abstract ZoneId zoneOf(F function);

  /**
   * Casts a column.
   *
   * @param function what to compute
   * @param argument in kernel memory; stays the caller's
   * @return a column owned by the caller; null when the function has to run on the host
   */
  final ColumnVector apply(F function, ColumnVector argument) {
    if (argument.dictionary() == null) {
      return cast(function, new CastInput(argument, argument), argument.rowCount());
    }
    ColumnVector entries = dictionaries.entries(argument.dictionary());
    if (DictionaryDecoder.pays(argument)) {
      ColumnVector values = cast(function, new CastInput(entries, entries), entries.rowCount());
      if (values != null && values.validity() == null) {
        return EntryResults.of(values, argument, context);
      }
      if (values != null) {
        values.close();
      }
    }
    return cast(function, new CastInput(entries, argument), argument.rowCount());
  }

  private ColumnVector cast(F function, CastInput input, int rowCount) {
    return cast(function, zones.of(zoneOf(function)), rowCount, input);
  }

  /** Frees the zone tables and the kernel. */
  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(zones);
    closer.close(kernel());
    closer.rethrow();
  }

  /** Returns the kernel, which this object owns. */
  abstract AutoCloseable kernel();
}
