package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.row.ValueWriter;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.bridge.task.TaskSettings;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.ColumnFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.DataType;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.InterpretedUnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;

/**
 * Evaluates any Spark expression as a function of columns. Spark's own generated code, or its
 * interpreter where the code does not compile, computes row by row what has no kernel.
 *
 * <p>Thread-safe: every thread uses a copy of the expression, which is kept for the next call.
 * Copies are prepared under the settings of the query for which the function was made ({@link
 * TaskSettings}); the thread must have entered the task's surroundings. Errors of the expression
 * are thrown unchanged, including checked exceptions such as SparkException, which the signature
 * does not declare. Columns must be in host memory.
 */
public final class SparkExpressionFunction implements ColumnFunction {
  private static final long serialVersionUID = 1L;
  private static final int ROWS_BETWEEN_KILL_CHECKS = 1024;

  private final SerializedExpression expression;
  private final org.apache.spark.sql.types.DataType[] argumentTypes;
  private final DataType resultType;
  private final boolean ordered;
  private final InputFiles files;
  private final TaskSettings settings = TaskSettings.ofQuery();
  private final boolean readsUnsafeRows;
  private transient Queue<Code> idle = new ConcurrentLinkedQueue<>();
  private transient AtomicInteger latestRun = new AtomicInteger(-1);

  private SparkExpressionFunction(
      Expression bound,
      org.apache.spark.sql.types.DataType[] argumentTypes,
      boolean ordered,
      InputFiles files) {
    this.expression = new SerializedExpression(bound);
    this.argumentTypes = argumentTypes;
    this.resultType = SparkTypes.fromSpark(bound.dataType());
    this.readsUnsafeRows = StageCodegen.isPreventedBy(bound);
    this.ordered = ordered;
    this.files = files;
  }

  /**
   * Creates the function of an expression.
   *
   * @param expression an expression for which {@link ExpressionBridge#reasonAgainst} is empty
   * @param arguments the attributes that it reads, in the order of the argument columns
   * @throws IllegalArgumentException when the expression is not supported. Also throws what Spark
   *     raises while it generates the expression's code, see {@link GenerationErrors}
   */
  public static SparkExpressionFunction of(
      Expression expression, List<? extends Attribute> arguments) {
    return create(expression, arguments, false, new InputFiles());
  }

  /**
   * Creates the function of an expression whose code may ask for the input file.
   *
   * @param files tells the file of the arguments with a sequence number; other parameters as above
   */
  public static SparkExpressionFunction of(
      Expression expression, List<? extends Attribute> arguments, InputFiles files) {
    return create(expression, arguments, false, files);
  }

  /**
   * Creates the function of an expression that may depend on earlier rows or on the partition's
   * number. The caller must pass the rows of one partition, in order, to one instance, by one
   * thread at a time. Parameters as above.
   */
  public static SparkExpressionFunction ofOrdered(
      Expression expression, List<? extends Attribute> arguments, InputFiles files) {
    return create(expression, arguments, true, files);
  }

  private static SparkExpressionFunction create(
      Expression expression,
      List<? extends Attribute> arguments,
      boolean ordered,
      InputFiles files) {
    ExpressionBridge.reasonAgainst(expression, ordered)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(reason);
            });
    Expression bound = ExpressionBridge.bind(expression, arguments);
    GenerationErrors.raise(bound);
    return new SparkExpressionFunction(bound, ExpressionBridge.types(arguments), ordered, files);
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
    return !ordered; // a nondeterministic expression must be ordered
  }

  @Override
  public boolean needsOrder() {
    return ordered;
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    Code code = borrow();
    ColumnVector result =
        files.with(arguments.sequence(), () -> compute(code, arguments, allocator));
    idle.add(code);
    return result;
  }

  /**
   * Takes a copy for one call. A copy that fails is not given back, because its state is unknown.
   */
  private Code borrow() {
    int run = files.run();
    Code code = idle.poll();
    if (code != null && (!ordered || code.run() == run)) {
      return code;
    }
    if (latestRun.getAndSet(run) == run && ordered) {
      throw new IllegalStateException(
          expression
              + " depends on the order of rows and is used by two threads, or after a failure");
    }
    return settings.with(() -> newCode(run));
  }

  private Code newCode(int run) {
    UnsafeProjection projection =
        UnsafeProjection.create(ScalaCollections.seq(List.of(expression.copy())));
    projection.initialize(files.partition());
    boolean isInterpreted = readsUnsafeRows || projection instanceof InterpretedUnsafeProjection;
    return new Code(isInterpreted ? RowView.toUnsafeRows(argumentTypes) : null, projection, run);
  }

  /**
   * One thread's copy of the expression.
   *
   * @param input converts our rows to Spark's own rows first; null when that is not needed
   * @param projection the expression
   * @param run partition of the rows, for an expression that depends on their order
   */
  private record Code(UnsafeProjection input, UnsafeProjection projection, int run) {
    InternalRow apply(InternalRow row) {
      return projection.apply(input == null ? row : input.apply(row));
    }
  }

  private ColumnVector compute(Code code, RecordBatch arguments, BufferAllocator allocator) {
    ColumnarBatchRow row = RowView.of(arguments, argumentTypes);
    TaskContext context = TaskContext.get();
    int rowCount = arguments.rowCount();
    try (ColumnBuilder builder = ColumnBuilder.create(resultType, allocator)) {
      builder.reserve(rowCount);
      ValueWriter writer = ValueWriter.create(builder);
      for (int i = 0; i < rowCount; i++) {
        if (context != null && i % ROWS_BETWEEN_KILL_CHECKS == 0) {
          context.killTaskIfInterrupted();
        }
        row.rowId = i;
        writer.write(code.apply(row), 0);
      }
      return builder.build();
    }
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    idle = new ConcurrentLinkedQueue<>();
    latestRun = new AtomicInteger(-1);
  }

  @Override
  public String toString() {
    return description();
  }
}
