package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.expression.StringFormatter;
import io.ariadne.expression.StringFunction;
import io.ariadne.expression.StringParser;
import io.ariadne.operator.OperatorContext;

/** Calls of {@link StringParser}s and {@link StringFormatter}s. Used by one thread at a time. */
final class CastCalls implements AutoCloseable {
  private final OperatorContext context;
  private final KernelDictionaries dictionaries;
  private ParsedStrings parsed; // null until the first call
  private FormattedValues formatted; // null until the first call

  CastCalls(OperatorContext context, KernelDictionaries dictionaries) {
    this.context = context;
    this.dictionaries = dictionaries;
  }

  /** Returns whether a function is computed here. */
  static boolean handles(StringFunction function) {
    return function instanceof StringParser || function instanceof StringFormatter;
  }

  /**
   * Makes a call.
   *
   * @param function one that {@link #handles} accepts
   * @param argument where kernels see it; stays the caller's
   * @return a column owned by the caller; null when the function of the host has to compute it
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
