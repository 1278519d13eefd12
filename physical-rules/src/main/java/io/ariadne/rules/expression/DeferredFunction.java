package io.ariadne.rules.expression;

import io.ariadne.bridge.expression.SparkExpressionFunction;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.DataType;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * A bridged expression as planning sees it: cheap to make, because most are made for trial
 * translations only. What is shipped to executors is the {@link SparkExpressionFunction}.
 */
final class DeferredFunction implements ColumnFunction {
  private static final long serialVersionUID = 1L;

  private final transient Expression expression;
  private final transient List<Attribute> arguments;
  private final DataType resultType;
  private final transient InputFiles files;

  /**
   * Creates the function of an expression.
   *
   * @param expression Spark's
   * @param arguments the attributes it reads, in the order of the argument columns
   * @param resultType our type of the result
   * @param files tells user code which file its rows are of
   */
  DeferredFunction(
      Expression expression, List<Attribute> arguments, DataType resultType, InputFiles files) {
    this.expression = expression;
    this.arguments = List.copyOf(arguments);
    this.resultType = resultType;
    this.files = files;
  }

  @Override
  public DataType resultType() {
    return resultType;
  }

  @Override
  public String description() {
    return "Spark's " + expression;
  }

  @Override
  public boolean dependsOnItsRowOnly() {
    return executable().dependsOnItsRowOnly();
  }

  @Override
  public ColumnVector apply(RecordBatch batch, BufferAllocator allocator) {
    return executable().apply(batch, allocator);
  }

  /** Java serialisation calls this. */
  private Object writeReplace() {
    return executable();
  }

  @Override
  public boolean needsOrder() {
    return !expression.deterministic();
  }

  private SparkExpressionFunction executable() {
    return needsOrder()
        ? SparkExpressionFunction.ofOrdered(expression, arguments, files)
        : SparkExpressionFunction.of(expression, arguments, files);
  }

  @Override
  public String toString() {
    return description();
  }
}
