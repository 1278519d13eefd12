package io.ariadne.rules.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.aggregate.bridged.BridgedAggregateOperatorFactory;
import io.ariadne.plan.BridgedAggregateNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.rules.RulesConfig;
import io.ariadne.rules.TestingSession;
import io.ariadne.rules.exec.translation.AggregateSpec;
import io.ariadne.rules.exec.translation.AggregateTranslation;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ReplayTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spark's own aggregates give the same whether their buffers are put away and merged or not, in
 * every mode.
 */
class TestBridgedAggregateRuns {
  private static final List<Field> COLUMNS =
      List.of(
          new Field("g", PrimitiveType.INT64, true),
          new Field("i", PrimitiveType.INT32, true),
          new Field("c", PrimitiveType.STRING, true),
          new Field("d", PrimitiveType.FLOAT64, true),
          new Field("z", PrimitiveType.BOOLEAN, true),
          new Field("u", PrimitiveType.INT64, true));
  private static final int BATCHES = 6;
  private static final int ROWS = 200;

  private static SparkSession spark;

  private final AtomicInteger putAway = new AtomicInteger();
  private long seed;
  private TestingAllocator memory;
  private Backend backend;

  @BeforeAll
  static void start() {
    spark = TestingSession.start(() -> RulesConfig.DEFAULT);
    spark
        .sql(
            "SELECT n AS g, CAST(n AS INT) AS i, CAST(n AS STRING) AS c,"
                + " CAST(n AS DOUBLE) AS d, n > 3 AS z, n AS u"
                + " FROM (SELECT nullif(id, 7) AS n FROM range(10))")
        .cache()
        .createOrReplaceTempView("runs");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @BeforeEach
  void open() {
    seed = RandomBatches.create().seed();
    memory = new TestingAllocator();
    backend = HostBackend.open();
  }

  @AfterEach
  void close() {
    backend.close();
    memory.assertNothingOpen();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "collect_list(i), collect_list(c), approx_count_distinct(i)",
        "collect_list(c) filter (where z), count(i), sum(i), avg(u), approx_count_distinct(c)",
        "percentile(i, 0.5), median(d), percentile_approx(i, 0.5)",
        "min(c), max(c), first(c), last(c, true), any_value(i), max_by(c, i)",
        "max_by(c, u), min_by(c, u), max_by(array(i, i), u)",
        "collect_list(named_struct('a', i, 'b', c)), approx_count_distinct(c)",
        "bit_xor(i), bool_and(z), collect_list(d), count(*) filter (where i > 0), median(u)",
        "percentile(i, 0.25), max(array(c, cast(i as string)))",
      })
  void mergedBuffersGiveTheSameResult(String aggregates) {
    for (int groups : new int[] {1, 3, 300, 2000}) {
      Map<List<Object>, Long> expected = counted(aggregate(aggregates, groups, Long.MAX_VALUE));
      assertEquals(0, putAway.get());
      for (long bound : new long[] {1, 3000, 100_000}) {
        assertEquals(
            expected,
            counted(aggregate(aggregates, groups, bound)),
            () -> "%s of %d groups within %d bytes".formatted(aggregates, groups, bound));
        assertTrue(putAway.get() > 0 || bound > 3000 || groups < 300, "nothing was put away");
        putAway.set(0);
      }
    }
  }

  private static Map<List<Object>, Long> counted(List<List<Object>> rows) {
    return rows.stream()
        .map(row -> row.stream().map(TestBridgedAggregateRuns::comparable).toList())
        .collect(Collectors.groupingBy(row -> row, Collectors.counting()));
  }

  private static Object comparable(Object value) {
    return String.valueOf(value instanceof byte[] bytes ? List.of(hex(bytes)) : value);
  }

  private static String hex(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Runs the partial aggregation and the final one over what that yields. */
  private List<List<Object>> aggregate(String aggregates, int groups, long bound) {
    String sql = "select g, " + aggregates + " from runs group by g";
    List<BaseAggregateExec> nodes = new ArrayList<>();
    addAggregations(spark.sql(sql).queryExecution().sparkPlan(), nodes);
    assertEquals(2, nodes.size(), sql);
    List<RecordBatch> batches = input(nodes.get(1), groups);
    for (int i = 1; i >= 0; i--) {
      batches = run(nodes.get(i), batches, bound);
    }
    List<List<Object>> rows = new ArrayList<>();
    for (RecordBatch batch : batches) {
      try (batch) {
        rows.addAll(BatchAssertions.rows(batch));
      }
    }
    return rows;
  }

  private static void addAggregations(SparkPlan plan, List<BaseAggregateExec> target) {
    if (plan instanceof BaseAggregateExec aggregate) {
      target.add(aggregate);
    }
    ScalaCollections.<SparkPlan>list(plan.children()).forEach(c -> addAggregations(c, target));
  }

  private List<RecordBatch> input(BaseAggregateExec node, int groups) {
    List<Attribute> attributes = ScalaCollections.list(node.child().output());
    List<Field> fields =
        attributes.stream()
            .map(a -> COLUMNS.stream().filter(f -> f.name().equals(a.name())).findFirst())
            .map(field -> field.orElseThrow())
            .toList();
    Random random = new Random(seed);
    List<RecordBatch> batches = new ArrayList<>();
    for (int batch = 0; batch < BATCHES; batch++) {
      try (BatchBuilder builder = new BatchBuilder(new Schema(fields), memory)) {
        for (int row = 0; row < ROWS; row++) {
          Object[] values = row(random, groups, (long) batch * ROWS + row);
          builder.appendRow(fields.stream().map(f -> values[COLUMNS.indexOf(f)]).toArray());
        }
        batches.add(builder.build(batch));
      }
    }
    return batches;
  }

  private static Object[] row(Random random, int groups, long number) {
    int value = random.nextInt(-50, 50);
    Object[] row = {
      (long) random.nextInt(groups),
      value,
      ("text" + random.nextInt(30) + (value > 0 ? " that is long" : ""))
          .getBytes(StandardCharsets.UTF_8),
      value / 8.0,
      random.nextBoolean(),
      number
    };
    for (int i = 0; i < row.length - 1; i++) {
      row[i] = random.nextInt(6) == 0 ? null : row[i];
    }
    return row;
  }

  private List<RecordBatch> run(BaseAggregateExec exec, List<RecordBatch> input, long bound) {
    List<Attribute> attributes = ScalaCollections.list(exec.child().output());
    NodeConversion conversion =
        AggregateTranslation.convertWithoutResults(
            AggregateSpec.of(exec),
            attributes,
            AttributeSchemas.placeholder(attributes),
            () -> 0,
            ConversionScope.execution(Set.of(), new ReplayTable(), new InputFiles()));
    BridgedAggregateNode node = (BridgedAggregateNode) conversion.node().orElseThrow();
    ProjectNode project = (ProjectNode) node.child();
    BridgedAggregateOperatorFactory factory =
        new BridgedAggregateOperatorFactory(
            project.schema(),
            node.keyCount(),
            new Counted(node.function(), putAway),
            node.schema(),
            bound);
    List<RecordBatch> output = new ArrayList<>();
    try (SinkOperator sink = factory.create(new OperatorContext(memory, backend, () -> false))) {
      SinkState local = sink.newLocal();
      for (RecordBatch batch : input) {
        try (batch) {
          local.addInput(selected(batch, project));
        }
      }
      sink.combine(local);
      sink.finish();
      while (!sink.isFinished()) {
        RecordBatch batch = sink.getOutput();
        if (batch != null) {
          output.add(batch);
        }
      }
    }
    return output;
  }

  private static RecordBatch selected(RecordBatch batch, ProjectNode project) {
    List<ColumnVector> columns = new ArrayList<>();
    for (Expression column : project.expressions()) {
      columns.add(batch.takeColumn(((ColumnReference) column).index()));
    }
    return new RecordBatch(project.schema(), batch.rowCount(), columns, batch.sequence());
  }

  /**
   * Counts how many groups are put away.
   *
   * @param function does everything
   * @param putAway the count
   */
  private record Counted(AggregationFunction function, AtomicInteger putAway)
      implements AggregationFunction {
    @Override
    public Schema outputSchema() {
      return function.outputSchema();
    }

    @Override
    public Schema bufferSchema() {
      return function.bufferSchema();
    }

    @Override
    public String description() {
      return function.description();
    }

    @Override
    public Groups newGroups(BufferAllocator allocator) {
      return new CountedGroups(function.newGroups(allocator), putAway);
    }
  }

  private record CountedGroups(AggregationFunction.Groups groups, AtomicInteger putAway)
      implements AggregationFunction.Groups {
    @Override
    public void update(RecordBatch rows, MemoryBuffer ids, int groupCount) {
      groups.update(rows, ids, groupCount);
    }

    @Override
    public List<ColumnVector> read(int first, int count) {
      return groups.read(first, count);
    }

    @Override
    public long heapBytes(long bound) {
      return groups.heapBytes(bound);
    }

    @Override
    public long memoryBytes() {
      return groups.memoryBytes();
    }

    @Override
    public List<ColumnVector> takeBuffers(int[] order) {
      putAway.addAndGet(order.length);
      return groups.takeBuffers(order);
    }

    @Override
    public void merge(
        RecordBatch buffers, int firstRow, MemoryBuffer ids, int rowCount, int groupCount) {
      groups.merge(buffers, firstRow, ids, rowCount, groupCount);
    }

    @Override
    public void reset() {
      groups.reset();
    }

    @Override
    public void close() {
      groups.close();
    }
  }
}
