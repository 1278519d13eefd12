package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.expression.StringFormatter;
import io.ariadne.expression.StringFunction;
import io.ariadne.expression.StringParser;
import io.ariadne.operator.OperatorContext;

/**
 * Runs {@link StringParser}s and {@link StringFormatter}s with kernels. Used by one thread at a
 * time.
 */
final class CastCalls implements AutoCloseable {
  private final OperatorContext context;
  private final KernelDictionaries dictionaries;
  private ParsedStrings parsed; // null until the first call
  private FormattedValues formatted; // null until the first call

  CastCalls(OperatorContext context, KernelDictionaries dictionaries) {
    this.context = context;
    this.dictionaries = dictionaries;
  }

  /** Returns whether this class runs a function. */
  static boolean handles(StringFunction function) {
    return function instanceof StringParser || function instanceof StringFormatter;
  }

  /**
   * Runs a function.
   *
   * @param function a function that {@link #handles} accepts
   * @param argument in kernel memory; stays the caller's
   * @return a column owned by the caller; null when the function has to run on the host
   */
  ColumnVector apply(StringFunction function, ColumnVector argument) {
    if (function instanceof StringParser parser) {
      if (parsed == null) {
        parsed = new ParsedStrings(context, dictionaries);
      }
      return parsed.apply(parser, argument);
    }
    if (formatted == null) {
      formatted = new FormattedValues(context, dictionaries);
    }
    return formatted.apply((StringFormatter) function, argument);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(parsed);
    closer.close(formatted);
    closer.rethrow();
  }
}
