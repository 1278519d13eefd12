package io.ariadne.operator;

import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateSupport;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes {@link BridgedAggregateOperator}s: hash aggregations whose aggregates the JVM computes.
 *
 * <p>The aggregates may depend on the order of rows: such a sink must get its batches in order, by
 * one local state. Immutable and thread-safe.
 */
public final class BridgedAggregateOperatorFactory implements SinkOperatorFactory {
  private final Schema input;
  private final int keyCount;
  private final AggregationFunction function;
  private final Schema output;
  private final TileProgramCompiler keyCompiler;

  /**
   * Plans an aggregation.
   *
   * @param input the keys, then what the aggregates read
   * @param keyCount how many columns are keys, at most 16; none for one row in all
   * @param function the aggregates
   * @param output names and types of the keys and the function's columns
   */
  public BridgedAggregateOperatorFactory(
      Schema input, int keyCount, AggregationFunction function, Schema output) {
    if (keyCount > AggregateSupport.MAX_KEYS) {
      throw new IllegalArgumentException(keyCount + " keys, at most 16 are supported");
    }
    this.input = input;
    this.keyCount = keyCount;
    this.function = function;
    this.output = output;
    List<Expression> keys = new ArrayList<>();
    for (int i = 0; i < keyCount; i++) {
      Field key = input.field(i);
      keys.add(new ColumnReference(i, key.type(), key.nullable()));
    }
    this.keyCompiler = TileProgramCompiler.withDefaultLayouts(keys);
  }

  @Override
  public BridgedAggregateOperator create(OperatorContext context) {
    return new BridgedAggregateOperator(this, context);
  }

  boolean isGrouped() {
    return keyCount > 0;
  }

  int keyCount() {
    return keyCount;
  }

  List<DataType> keyTypes() {
    return input.fields().subList(0, keyCount).stream().map(Field::type).toList();
  }

  /** Returns the columns that the function reads. */
  Schema argumentSchema() {
    return new Schema(input.fields().subList(keyCount, input.columnCount()));
  }

  AggregationFunction function() {
    return function;
  }

  Schema outputSchema() {
    return output;
  }

  /** Returns what brings keys into the layouts of the table. */
  TileProgramCompiler keyCompiler() {
    return keyCompiler;
  }
}
