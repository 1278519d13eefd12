package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateSupport;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperatorFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates {@link BridgedAggregateOperator}s: hash aggregations whose aggregates Java code computes.
 *
 * <p>The aggregates may depend on the order of rows, so the sink must get its batches in order, in
 * one local state. Immutable and thread-safe.
 */
public final class BridgedAggregateOperatorFactory implements SinkOperatorFactory {
  /** The groups of all threads together may take one of this many equal parts of the JVM's heap. */
  private static final int HEAP_SHARES = 4;

  /** A limit that is derived from the JVM's heap and the thread count of the context. */
  private static final long BY_THREADS = -1;

  private final Schema input;
  private final int keyCount;
  private final AggregationFunction function;
  private final Schema output;
  private final TileProgramCompiler keyCompiler;
  private final long maxHeapBytes;

  /**
   * Plans an aggregation whose groups may take a share of the JVM's heap: a quarter of it, divided
   * by the thread count of the context. The arguments are those of the full constructor.
   */
  public BridgedAggregateOperatorFactory(
      Schema input, int keyCount, AggregationFunction function, Schema output) {
    this(input, keyCount, function, output, BY_THREADS);
  }

  /**
   * Plans an aggregation.
   *
   * @param input the keys, then the columns that the aggregates read
   * @param keyCount how many columns are keys, at most 16; none for a single row
   * @param function the aggregates
   * @param output names and types of the keys and of the function's columns
   * @param maxHeapBytes how many bytes of the JVM's heap the groups of one thread may take before
   *     they move to runs
   */
  public BridgedAggregateOperatorFactory(
      Schema input, int keyCount, AggregationFunction function, Schema output, long maxHeapBytes) {
    if (keyCount > AggregateSupport.MAX_KEYS) {
      throw new IllegalArgumentException(keyCount + " keys, at most 16 are supported");
    }
    this.input = input;
    this.keyCount = keyCount;
    this.function = function;
    this.output = output;
    this.maxHeapBytes = maxHeapBytes;
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

  /** Returns how many bytes of the JVM's heap the groups of one thread may take. */
  long maxHeapBytes(OperatorContext context) {
    return maxHeapBytes == BY_THREADS
        ? Runtime.getRuntime().maxMemory() / HEAP_SHARES / context.threadCount()
        : maxHeapBytes;
  }

  Schema outputSchema() {
    return output;
  }

  /** Returns the compiler that converts keys to the layouts of the group table. */
  TileProgramCompiler keyCompiler() {
    return keyCompiler;
  }
}
