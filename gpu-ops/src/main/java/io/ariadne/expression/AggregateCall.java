package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import java.io.Serializable;
import java.util.List;

/**
 * One aggregate of an aggregation.
 *
 * @param function what is aggregated
 * @param arguments inputs over the child's schema of a call that takes values in; empty for
 *     count(*)
 * @param filter condition over the child's schema of a call that takes values in, or null
 * @param bufferFields the buffer's columns, as Spark declares them
 * @param bufferOffset of a call that merges buffers: position of the first buffer column in the
 *     child's schema; {@link #UPDATES} of one that takes values in
 * @param resultType type of the final value
 * @param mode what happens when the sum overflows
 * @param origin number under which an overflow is replayed, or -1; as {@code Call.origin()}
 */
public record AggregateCall(
    AggregateFunction function,
    List<Expression> arguments,
    Expression filter,
    List<Field> bufferFields,
    int bufferOffset,
    DataType resultType,
    EvaluationMode mode,
    int origin)
    implements Serializable {
  /** The buffer offset of a call that takes values in, not buffers. */
  public static final int UPDATES = -1;

  /** Copies the lists. */
  public AggregateCall {
    arguments = List.copyOf(arguments);
    bufferFields = List.copyOf(bufferFields);
  }

  /**
   * Returns a call that takes values in, unfiltered, with one buffer column, of whose type the
   * result is. Overflow wraps around.
   */
  public static AggregateCall of(
      AggregateFunction function, List<? extends Expression> arguments, Field buffer) {
    return new AggregateCall(
        function,
        List.copyOf(arguments),
        null,
        List.of(buffer),
        UPDATES,
        buffer.type(),
        EvaluationMode.LEGACY);
  }

  /** Returns whether buffers come in, not values. */
  public boolean merges() {
    return bufferOffset != UPDATES;
  }

  /** Creates a call without an origin; arguments as in the full constructor. */
  public AggregateCall(
      AggregateFunction function,
      List<Expression> arguments,
      Expression filter,
      List<Field> bufferFields,
      int bufferOffset,
      DataType resultType,
      EvaluationMode mode) {
    this(
        function,
        arguments,
        filter,
        bufferFields,
        bufferOffset,
        resultType,
        mode,
        ExpressionError.NO_ORIGIN);
  }
}
