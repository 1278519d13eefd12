package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import java.io.Serializable;
import java.util.List;

/**
 * A call of an aggregate function in an aggregation. It either updates aggregation buffers from
 * values, or merges buffers. Immutable.
 *
 * @param function the function
 * @param arguments inputs over the child's schema, of a call that updates; empty for count(*)
 * @param filter condition over the child's schema, of a call that updates, or null
 * @param bufferFields the buffer's columns, as Spark declares them
 * @param bufferOffset position of the first buffer column in the child's schema, of a call that
 *     merges; {@link #UPDATES} of a call that updates
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
  /** The buffer offset of a call that updates buffers from values. */
  public static final int UPDATES = -1;

  /** Copies the lists. */
  public AggregateCall {
    arguments = List.copyOf(arguments);
    bufferFields = List.copyOf(bufferFields);
  }

  /**
   * Returns a call that updates, without a filter, with one buffer column, whose type is the type
   * of the result. Overflow wraps.
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

  /** Returns whether the inputs are buffers instead of values. */
  public boolean merges() {
    return bufferOffset != UPDATES;
  }

  /** Creates a call without an origin. The arguments are those of the full constructor. */
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
