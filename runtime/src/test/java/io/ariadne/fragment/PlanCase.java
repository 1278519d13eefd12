package io.ariadne.fragment;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.kernel.sort.SortDirection;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.operator.join.JoinSpec;
import io.ariadne.operator.sort.SortColumn;
import io.ariadne.plan.AggregateNode;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.JoinNode;
import io.ariadne.plan.LimitNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.plan.ScanNode;
import io.ariadne.plan.SortNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A random plan of filters, projections, a join, a limit, sorts and an aggregation over two
 * nullable columns (key INT32, value INT64), and the rows it should yield, computed plainly.
 */
final class PlanCase {
  private static final DataType INT64 = PrimitiveType.INT64;
  private static final Schema SCHEMA =
      Schema.of(new Field("key", PrimitiveType.INT32, true), new Field("value", INT64, true));
  private static final List<JoinKind> JOIN_KINDS =
      List.of(
          JoinKind.INNER,
          JoinKind.OUTER,
          JoinKind.FULL,
          JoinKind.SEMI,
          JoinKind.ANTI,
          JoinKind.EXISTENCE,
          JoinKind.BUILD_OUTER,
          JoinKind.BUILD_SEMI,
          JoinKind.BUILD_ANTI,
          JoinKind.BUILD_EXISTENCE);
  private static final Schema WITH_EXISTENCE =
      Schema.of(
          SCHEMA.field(0), SCHEMA.field(1), new Field("exists", PrimitiveType.BOOLEAN, false));
  private static final Schema BUFFERS =
      Schema.of(
          SCHEMA.field(0),
          new Field("rows", INT64, false),
          new Field("count", INT64, false),
          new Field("sum", INT64, true),
          new Field("min", INT64, true),
          new Field("max", INT64, true));

  private final Random random;
  private final List<List<Long[]>> input = new ArrayList<>();
  private final List<List<Long[]>> build = new ArrayList<>();
  private final List<Long[]> expected;
  private PlanNode root;
  private List<Long[]> rows = new ArrayList<>();

  /** Draws a case. */
  PlanCase(long seed) {
    this.random = new Random(seed);
    this.root = random.nextBoolean() ? new InputNode(0, 0, SCHEMA) : new ScanNode(0, 0, SCHEMA);
    int keys = 1 + random.nextInt(random.nextBoolean() ? 10 : 5000);
    for (int i = random.nextInt(12); i > 0; i--) {
      input.add(batch(random.nextInt(random.nextBoolean() ? 40 : 5000), keys));
    }
    input.forEach(rows::addAll);
    for (int i = random.nextInt(4); i > 0; i--) {
      addTransform();
    }
    if (random.nextInt(4) == 0) {
      addLimit();
    }
    if (random.nextInt(3) == 0) {
      addJoin(keys);
    }
    if (random.nextInt(3) == 0) {
      addSort();
    }
    if (random.nextInt(3) == 0) {
      root =
          new SortNode(
              root.id() + 1,
              root,
              List.of(
                  new SortColumn(
                      1, new SortDirection(random.nextBoolean(), random.nextBoolean()))));
    }
    if (random.nextInt(3) > 0) {
      addAggregate();
    }
    this.expected = rows;
  }

  PlanNode root() {
    return root;
  }

  /** Returns the rows. */
  RowBag expected() {
    return new RowBag(expected);
  }

  /** Creates the inputs; they pause now and then. */
  List<BatchSource> sources(BufferAllocator allocator) {
    return List.of(
        new RowSource(allocator, input, new Random(random.nextLong())),
        new RowSource(allocator, build, new Random(random.nextLong())));
  }

  /** Creates the scans, for plans that read some; their splits pause, and wait, now and then. */
  List<SplitSourceFactory> scans() {
    return List.of(scan(input), scan(build));
  }

  private TestingScan scan(List<List<Long[]>> batches) {
    List<List<TestingScan.BatchMaker>> splits = new ArrayList<>();
    for (List<Long[]> batch : batches) {
      if (splits.isEmpty() || random.nextBoolean()) {
        splits.add(new ArrayList<>());
      }
      splits.get(splits.size() - 1).add(allocator -> build(batch, allocator, 0));
    }
    long seed = random.nextLong();
    return new TestingScan(SCHEMA, splits) {
      @Override
      protected void beforeBatch(int split, int batch) {
        FragmentCase.pause(new Random(seed + split * 1_000L + batch));
      }

      @Override
      protected CompletableFuture<Void> blocked(int split, int batch) {
        return (seed + split + batch) % 5 > 0
            ? super.blocked(split, batch)
            : new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.MILLISECONDS);
      }
    };
  }

  /** Pumps to the end and returns the rows. */
  static RowBag drain(FragmentExecution execution) {
    List<Long[]> rows = new ArrayList<>();
    for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
      read(batch, rows);
      batch.close();
    }
    return new RowBag(rows);
  }

  private static void read(RecordBatch batch, List<Long[]> rows) {
    for (int row = 0; row < batch.rowCount(); row++) {
      Long[] values = new Long[batch.columnCount()];
      for (int i = 0; i < values.length; i++) {
        ColumnReader reader = new ColumnReader(batch.column(i));
        values[i] = reader.isNull(row) ? null : Long.valueOf(reader.getIntegral(row));
      }
      rows.add(values);
    }
  }

  private List<Long[]> batch(int rowCount, int keys) {
    List<Long[]> batch = new ArrayList<>();
    for (int i = 0; i < rowCount; i++) {
      Long key = random.nextInt(10) == 0 ? null : Long.valueOf(random.nextInt(keys));
      Long value = random.nextInt(10) == 0 ? null : Long.valueOf(randomValue());
      batch.add(new Long[] {key, value});
    }
    return batch;
  }

  private long randomValue() {
    return random.nextInt(20) == 0 ? random.nextLong() : random.nextInt(1000) - 500;
  }

  private void addTransform() {
    Expression key = new ColumnReference(0, PrimitiveType.INT32, true);
    Expression value = new ColumnReference(1, INT64, true);
    long constant = randomValue();
    Expression literal = new Literal(constant, INT64);
    int id = root.id() + 1;
    if (random.nextBoolean()) {
      root = new FilterNode(id, root, call(Function.LESS, PrimitiveType.BOOLEAN, value, literal));
      rows = rows.stream().filter(row -> row[1] != null && row[1] < constant).toList();
    } else {
      Expression sum = call(Function.ADD, INT64, value, literal);
      root = new ProjectNode(id, root, List.of(key, sum), SCHEMA);
      rows = rows.stream().map(row -> new Long[] {row[0], plus(row[1], constant)}).toList();
    }
  }

  private void addLimit() {
    int offset = random.nextInt(3) == 0 ? random.nextInt(rows.size() + 10) : 0;
    int count = random.nextInt(rows.size() + 10);
    root = new LimitNode(root.id() + 1, root, offset, count);
    rows = rows.stream().skip(offset).limit(count).toList();
  }

  /** Joins with rows whose keys may occur several times; the order of rows is lost. */
  private void addJoin(int keys) {
    List<Long[]> kept = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      // few rows where each has many pairs
      build.add(batch(random.nextInt(keys < 100 ? 10 : 3000), keys));
      kept.addAll(build.get(build.size() - 1));
    }
    JoinKind kind = JOIN_KINDS.get(random.nextInt(JOIN_KINDS.size()));
    int id = root.id() + 1;
    PlanNode side =
        random.nextBoolean() ? new InputNode(id, 1, SCHEMA) : new ScanNode(id, 1, SCHEMA);
    List<Expression> key = List.of(new ColumnReference(0, PrimitiveType.INT32, true));
    int first = kind.yieldsOnlyBuildRows() ? 2 : 0;
    List<Integer> output = List.of(first, kind.yieldsPairs() ? 3 : first + 1);
    root = new JoinNode(id + 2, id + 1, root, side, spec(kind, key, output));
    if (kind.yieldsExistence()) {
      keepExisting();
    }
    rows = joined(kind, rows, kept);
  }

  private static JoinSpec spec(JoinKind kind, List<Expression> key, List<Integer> output) {
    if (!kind.yieldsExistence()) {
      return new JoinSpec(kind, SCHEMA, SCHEMA, key, key, null, List.of(), output, SCHEMA);
    }
    List<Integer> all =
        List.of(output.get(0), output.get(1), JoinSpec.existenceColumn(SCHEMA, SCHEMA));
    return new JoinSpec(kind, SCHEMA, SCHEMA, key, key, null, List.of(), all, WITH_EXISTENCE);
  }

  /** Leaves the rows that have a pair, and the columns that there are without that mark. */
  private void keepExisting() {
    Expression exists = new ColumnReference(2, PrimitiveType.BOOLEAN, false);
    root = new FilterNode(root.id() + 1, root, exists);
    List<Expression> columns =
        List.of(
            new ColumnReference(0, PrimitiveType.INT32, true), new ColumnReference(1, INT64, true));
    root = new ProjectNode(root.id() + 1, root, columns, SCHEMA);
  }

  private static List<Long[]> joined(JoinKind kind, List<Long[]> probe, List<Long[]> build) {
    Map<Long, List<Long[]>> byKey = new HashMap<>();
    build.stream()
        .filter(row -> row[0] != null)
        .forEach(row -> byKey.computeIfAbsent(row[0], key -> new ArrayList<>()).add(row));
    List<Long[]> joined = new ArrayList<>();
    Set<Long> found = new HashSet<>();
    for (Long[] row : probe) {
      List<Long[]> pairs = row[0] == null ? List.of() : byKey.getOrDefault(row[0], List.of());
      found.add(row[0]);
      if (kind.yieldsPairs()) {
        pairs.forEach(pair -> joined.add(new Long[] {row[0], pair[1]}));
      }
      if (pairs.isEmpty() && (kind == JoinKind.OUTER || kind == JoinKind.FULL)) {
        joined.add(new Long[] {row[0], null});
      } else if (pairs.isEmpty()
          ? kind == JoinKind.ANTI
          : kind == JoinKind.SEMI || kind == JoinKind.EXISTENCE) {
        joined.add(row);
      }
    }
    for (Long[] row : build) {
      boolean hasPair = row[0] != null && found.contains(row[0]);
      if (!hasPair && (kind == JoinKind.FULL || kind == JoinKind.BUILD_OUTER)) {
        joined.add(new Long[] {null, row[1]});
      } else if (hasPair
          ? kind == JoinKind.BUILD_SEMI || kind == JoinKind.BUILD_EXISTENCE
          : kind == JoinKind.BUILD_ANTI) {
        joined.add(row);
      }
    }
    return joined;
  }

  private void addSort() {
    SortDirection direction = new SortDirection(random.nextBoolean(), random.nextBoolean());
    SortColumn column = new SortColumn(random.nextInt(2), direction);
    root = new SortNode(root.id() + 1, root, List.of(column));
  }

  private static Long plus(Long value, long constant) {
    return value == null ? null : Long.valueOf(value + constant);
  }

  private void addAggregate() {
    List<Expression> keys =
        random.nextInt(4) == 0
            ? List.of()
            : List.of(new ColumnReference(0, PrimitiveType.INT32, true));
    Schema output = keys.isEmpty() ? new Schema(BUFFERS.fields().subList(1, 6)) : BUFFERS;
    boolean twoSteps = random.nextBoolean();
    List<AggregateCall> updates = calls(keys.size(), true);
    root = new AggregateNode(root.id() + 1, root, !twoSteps, keys, updates, output);
    if (twoSteps) {
      List<AggregateCall> merges = calls(keys.size(), false);
      root = new AggregateNode(root.id() + 1, root, true, keys, merges, output);
    }
    rows = aggregated(rows, !keys.isEmpty());
  }

  private static List<AggregateCall> calls(int keyCount, boolean areUpdates) {
    Expression value = new ColumnReference(1, INT64, true);
    AggregateFunction[] functions = {
      AggregateFunction.COUNT,
      AggregateFunction.COUNT,
      AggregateFunction.SUM,
      AggregateFunction.MIN,
      AggregateFunction.MAX
    };
    List<AggregateCall> calls = new ArrayList<>();
    for (int i = 0; i < functions.length; i++) {
      List<Expression> arguments = i == 0 ? List.of() : List.of(value);
      Field buffer = BUFFERS.field(i + 1);
      calls.add(
          new AggregateCall(
              functions[i],
              arguments,
              null,
              List.of(buffer),
              areUpdates ? AggregateCall.UPDATES : keyCount + i,
              INT64,
              EvaluationMode.LEGACY));
    }
    return calls;
  }

  private static List<Long[]> aggregated(List<Long[]> rows, boolean grouped) {
    Map<Optional<Long>, Long[]> groups = new HashMap<>();
    if (!grouped) {
      groups.put(Optional.empty(), new Long[] {0L, 0L, null, null, null});
    }
    for (Long[] row : rows) {
      Optional<Long> key = grouped ? Optional.ofNullable(row[0]) : Optional.empty();
      Long[] group = groups.computeIfAbsent(key, k -> new Long[] {0L, 0L, null, null, null});
      group[0]++;
      if (row[1] != null) {
        long value = row[1];
        group[1]++;
        group[2] = group[2] == null ? value : group[2] + value;
        group[3] = group[3] == null ? value : Math.min(group[3], value);
        group[4] = group[4] == null ? value : Math.max(group[4], value);
      }
    }
    List<Long[]> results = new ArrayList<>();
    groups.forEach(
        (key, group) -> {
          List<Long> row = new ArrayList<>(Arrays.asList(group));
          if (grouped) {
            row.add(0, key.orElse(null));
          }
          results.add(row.toArray(new Long[0]));
        });
    return results;
  }

  private static Expression call(Function function, DataType type, Expression... arguments) {
    return new Call(
        function, List.of(arguments), type, true, EvaluationMode.LEGACY, ExpressionError.NO_ORIGIN);
  }

  private static RecordBatch build(List<Long[]> rows, BufferAllocator allocator, long sequence) {
    try (BatchBuilder builder = new BatchBuilder(SCHEMA, allocator)) {
      for (Long[] row : rows) {
        builder.appendRow(row[0] == null ? null : row[0].intValue(), row[1]);
      }
      return builder.build(sequence);
    }
  }

  /** Yields given rows batch by batch, with pauses. */
  private static final class RowSource implements BatchSource {
    private final BufferAllocator allocator;
    private final List<List<Long[]>> batches;
    private final Random pauses;
    private int next;

    RowSource(BufferAllocator allocator, List<List<Long[]>> batches, Random pauses) {
      this.allocator = allocator;
      this.batches = batches;
      this.pauses = pauses;
    }

    @Override
    public Schema schema() {
      return SCHEMA;
    }

    @Override
    public RecordBatch next() {
      FragmentCase.pause(pauses);
      if (next == batches.size()) {
        return null;
      }
      return build(batches.get(next), allocator, next++);
    }

    @Override
    public void close() {}
  }
}
