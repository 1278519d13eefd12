package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import java.io.Serializable;
import java.util.List;

/**
 * One aggregate of an aggregation.
 *
 * @param function what is aggregated
 * @param arguments inputs over the child's schema in modes that update (partial, complete); empty
 *     for count(*)
 * @param filter condition over the child's schema, or null
 * @param bufferFields the buffer's columns, as Spark declares them
 * @param bufferOffset in modes that merge: position of the first buffer column in the child's
 *     schema
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
  /** Copies the lists. */
  public AggregateCall {
    arguments = List.copyOf(arguments);
    bufferFields = List.copyOf(bufferFields);
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
