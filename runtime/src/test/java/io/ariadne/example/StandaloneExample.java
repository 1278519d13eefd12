package io.ariadne.example;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.plan.AggregateNode;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs a query on the engine alone: generated orders, of which the small ones are summed by region.
 *
 * <pre>
 * SELECT region, sum(quantity * price), count(*) FROM orders WHERE quantity &lt; 24 GROUP BY region
 * </pre>
 */
public final class StandaloneExample {
  /** Columns of the input. */
  static final Schema ORDERS =
      Schema.of(
          new Field("region", PrimitiveType.INT32, false),
          new Field("quantity", PrimitiveType.INT64, false),
          new Field("price", PrimitiveType.INT64, false));

  /** Orders of at least this quantity are left out. */
  static final long QUANTITY_BOUND = 24;

  private static final int ROWS_PER_BATCH = 8192;
  private static final long MEMORY_LIMIT_IN_BYTES = 64 << 20;
  private static final int THREADS = 2;

  private StandaloneExample() {}

  /**
   * Runs the query and prints its answer.
   *
   * @param arguments the number of rows, a million when absent
   */
  public static void main(String[] arguments) {
    int rows = arguments.length == 0 ? 1_000_000 : Integer.parseInt(arguments[0]);
    run(rows, System.out);
  }

  /** Runs the query over generated rows and prints its answer. */
  static void run(int rowCount, PrintStream out) {
    RuntimeConfig config = RuntimeConfig.of(THREADS, MEMORY_LIMIT_IN_BYTES);
    try (ExecutorRuntime runtime = ExecutorRuntime.start(config)) {
      out.println(runtime.description());
      BatchSource orders = new GeneratedOrders(rowCount, runtime.pool());
      try (FragmentExecution query =
          runtime.submit(query(), List.of(orders), TaskEnvironment.NONE)) {
        print(query, out);
        query.metrics().forEach((node, metrics) -> out.println("node " + node + ": " + metrics));
      }
      out.println("peak memory in bytes: " + runtime.pool().peakBytes());
    }
  }

  /** Returns the order of row {@code row}: region, quantity and price. */
  static long[] order(long row) {
    long mixed = row * 0x9e3779b97f4a7c15L;
    return new long[] {(mixed >>> 33) % 5, (mixed >>> 40) % 50, (mixed >>> 50) % 1000};
  }

  private static PlanNode query() {
    Expression region = new ColumnReference(0, PrimitiveType.INT32, false);
    Expression quantity = new ColumnReference(1, PrimitiveType.INT64, false);
    Expression price = new ColumnReference(2, PrimitiveType.INT64, false);
    Expression bound = new Literal(QUANTITY_BOUND, PrimitiveType.INT64);
    Expression amount = call(Function.MULTIPLY, PrimitiveType.INT64, quantity, price);
    Field sum = new Field("sum", PrimitiveType.INT64, true);
    Field count = new Field("count", PrimitiveType.INT64, false);
    Schema projected = Schema.of(ORDERS.field(0), new Field("amount", PrimitiveType.INT64, false));
    PlanNode input = new InputNode(0, 0, ORDERS);
    PlanNode small =
        new FilterNode(1, input, call(Function.LESS, PrimitiveType.BOOLEAN, quantity, bound));
    PlanNode amounts = new ProjectNode(2, small, List.of(region, amount), projected);
    Expression projectedAmount = new ColumnReference(1, PrimitiveType.INT64, false);
    return new AggregateNode(
        3,
        amounts,
        true,
        List.of(region),
        List.of(
            AggregateCall.of(AggregateFunction.SUM, List.of(projectedAmount), sum),
            AggregateCall.of(AggregateFunction.COUNT, List.of(), count)),
        Schema.of(ORDERS.field(0), sum, count));
  }

  private static Expression call(Function function, DataType type, Expression... arguments) {
    return new Call(
        function,
        List.of(arguments),
        type,
        false,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }

  private static void print(FragmentExecution query, PrintStream out) {
    Map<Integer, String> lines = new TreeMap<>();
    for (RecordBatch batch = query.next(); batch != null; batch = query.next()) {
      collect(batch, lines);
      batch.close();
    }
    lines.values().forEach(out::println);
  }

  private static void collect(RecordBatch batch, Map<Integer, String> lines) {
    ColumnReader region = new ColumnReader(batch.column(0));
    ColumnReader sum = new ColumnReader(batch.column(1));
    ColumnReader count = new ColumnReader(batch.column(2));
    for (int row = 0; row < batch.rowCount(); row++) {
      String answer = sum.getLong(row) + " in " + count.getLong(row) + " orders";
      lines.put(region.getInt(row), "region " + region.getInt(row) + ": " + answer);
    }
  }

  /** Orders made up as they are asked for. */
  private static final class GeneratedOrders implements BatchSource {
    private final int rowCount;
    private final BufferAllocator allocator;
    private int produced;
    private long sequence;

    GeneratedOrders(int rowCount, BufferAllocator allocator) {
      this.rowCount = rowCount;
      this.allocator = allocator;
    }

    @Override
    public Schema schema() {
      return ORDERS;
    }

    @Override
    public RecordBatch next() {
      if (produced == rowCount) {
        return null;
      }
      int end = Math.min(rowCount, produced + ROWS_PER_BATCH);
      try (BatchBuilder builder = new BatchBuilder(ORDERS, allocator)) {
        for (; produced < end; produced++) {
          long[] order = order(produced);
          builder.appendRow((int) order[0], order[1], order[2]);
        }
        return builder.build(sequence++);
      }
    }

    @Override
    public void close() {}
  }
}
