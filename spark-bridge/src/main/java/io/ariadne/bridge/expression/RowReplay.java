package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.RecordBatch;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;

/**
 * Evaluates a Spark expression on one row in order to raise Spark's own error, with its class,
 * message and query context.
 *
 * <p>Slow, and meant for rows that are known to fail. Thread-safe: every replay uses a copy of the
 * expression. The calling thread must have the task's thread-local state.
 */
public final class RowReplay implements Serializable {
  private static final long serialVersionUID = 1L;

  private final SerializedExpression expression;
  private final DataType[] inputTypes;

  /**
   * Creates the replay of an expression.
   *
   * @param expression a resolved expression
   * @param inputs the attributes of the batches, in the order of their columns
   */
  public RowReplay(Expression expression, List<? extends Attribute> inputs) {
    this(expression, new ErrorContext(expression), inputs);
  }

  /**
   * Creates the replay of an expression that has been serialized since Spark created it.
   *
   * @param expression a resolved expression
   * @param context what its errors quote, which serialization has dropped
   * @param inputs the attributes of the batches, in the order of their columns
   */
  public RowReplay(Expression expression, ErrorContext context, List<? extends Attribute> inputs) {
    this.expression = new SerializedExpression(ExpressionBridge.bind(expression, inputs), context);
    this.inputTypes = ExpressionBridge.types(inputs);
  }

  /**
   * Evaluates the expression. Throws what Spark throws, including checked exceptions.
   *
   * @param batch host memory, stays owned by the caller
   * @param row index of the row
   * @return Catalyst's value of the expression when it does not fail; it may point into the batch
   */
  public Object replay(RecordBatch batch, int row) {
    ColumnarBatchRow view = RowView.of(batch, inputTypes);
    view.rowId = row;
    UnsafeProjection toUnsafeRows = RowView.toUnsafeRows(inputTypes);
    return expression.copy().eval(toUnsafeRows == null ? view : toUnsafeRows.apply(view));
  }

  /**
   * Evaluates the expression as Spark's projections do: generated code evaluates common
   * subexpressions once, and first. The members of a struct count as separate expressions. Throws
   * what Spark throws, including checked exceptions.
   *
   * @param batch host memory, stays owned by the caller
   * @param row index of the row
   */
  public void compute(RecordBatch batch, int row) {
    ColumnarBatchRow view = RowView.of(batch, inputTypes);
    view.rowId = row;
    UnsafeProjection toUnsafeRows = RowView.toUnsafeRows(inputTypes);
    Expression copy = expression.copy();
    UnsafeProjection projection =
        UnsafeProjection.create(
            copy instanceof CreateNamedStruct struct
                ? struct.valExprs()
                : ScalaCollections.seq(List.of(copy)));
    projection.initialize(TaskContext.getPartitionId());
    projection.apply(toUnsafeRows == null ? view : toUnsafeRows.apply(view));
  }

  /**
   * Evaluates the expression on a row of nulls, otherwise like {@link #replay(RecordBatch, int)}.
   */
  public Object replay() {
    return expression.copy().eval(new GenericInternalRow(inputTypes.length));
  }

  @Override
  public String toString() {
    return "replay of " + expression;
  }
}
