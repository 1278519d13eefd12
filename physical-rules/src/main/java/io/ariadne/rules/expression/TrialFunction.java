package io.ariadne.rules.expression;

import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.DataType;
import java.io.NotSerializableException;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * A bridged expression of a trial translation, which is cheap to make because the plan is never
 * executed. It cannot be evaluated and cannot be shipped to executors.
 */
final class TrialFunction implements ColumnFunction {
  private static final long serialVersionUID = 1L;

  private final transient Expression expression;
  private final DataType resultType;

  /**
   * Creates the function of an expression.
   *
   * @param expression Spark's
   * @param resultType our type of the result
   */
  TrialFunction(Expression expression, DataType resultType) {
    this.expression = expression;
    this.resultType = resultType;
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
    return expression.deterministic();
  }

  @Override
  public boolean needsOrder() {
    return !expression.deterministic();
  }

  @Override
  public ColumnVector apply(RecordBatch batch, BufferAllocator allocator) {
    throw new IllegalStateException(this + " was translated for trial only");
  }

  /** Java serialisation calls this. */
  private Object writeReplace() throws NotSerializableException {
    throw new NotSerializableException(this + " was translated for trial only");
  }

  @Override
  public String toString() {
    return description();
  }
}
