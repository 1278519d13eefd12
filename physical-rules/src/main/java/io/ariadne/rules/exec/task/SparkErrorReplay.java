package io.ariadne.rules.exec.task;

import io.ariadne.bridge.expression.RowReplay;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.ExpressionError;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.rules.expression.ReplayTable;

/**
 * Evaluates Spark's own expression on the row for which a kernel has found an error. It throws the
 * exception that Spark would have thrown, with its error class, message and query context.
 */
public final class SparkErrorReplay implements ErrorReplay {
  private final ReplayTable replays;

  /** Creates a replay from a fragment's table. */
  public SparkErrorReplay(ReplayTable replays) {
    this.replays = replays;
  }

  @Override
  public void raiseFirst(int origin, RecordBatch input, int row) {
    if (origin != ExpressionError.NO_ORIGIN) {
      replays
          .settings()
          .with(
              () -> {
                replays.replay(origin).compute(input, row);
                return null;
              });
    }
  }

  @Override
  public RuntimeException toException(int origin, int code, RecordBatch input, int row) {
    if (origin == ExpressionError.NO_ORIGIN) {
      return ErrorReplay.PLAIN.toException(origin, code, input, row);
    }
    Object value;
    try {
      value = replays.settings().with(() -> replay(origin, input, row));
    } catch (RuntimeException e) {
      return e;
    }
    return new EngineException(
        ErrorCode.INTERNAL,
        "a kernel reports "
            + ExpressionError.describe(code)
            + " for "
            + replays.expression(origin)
            + " in row "
            + row
            + ", where Spark computes "
            + value);
  }

  private Object replay(int origin, RecordBatch input, int row) {
    RowReplay replay = replays.replay(origin);
    return input == null ? replay.replay() : replay.replay(input, row);
  }
}
