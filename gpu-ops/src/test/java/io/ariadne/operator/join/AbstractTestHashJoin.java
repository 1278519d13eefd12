package io.ariadne.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.DictionaryEncoder;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.kernel.testing.AbstractTestOnBackend;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.RefusedCalls;
import io.ariadne.operator.RefusingAllocator;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.spill.EagerSpillSpace;
import io.ariadne.spill.SpillSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Joins on a back end against {@link ReferenceJoin}: all kinds, all types as keys and beside them,
 * several keys and none, conditions, nulls, rows that occur often, empty sides, drivers, batches of
 * any size, tables of any size.
 */
abstract class AbstractTestHashJoin extends AbstractTestOnBackend {
  private static final int MAX_BATCHES = 4;

  @TempDir private Path folder;

  private JoinLimits limits;

  /** Allocations to grant while the table is built, before one is refused. */
  private long buildGrants = Long.MAX_VALUE;

  private long refusals;

  /** Which allocations of a join are refused. */
  private RefusedCalls.Plan refusing = RefusedCalls::none;

  private int repeatedCalls;
  private boolean wasRefused;

  /** Returns how many random cases to run. */
  protected abstract int cases();

  /** Returns the most rows of a batch. */
  protected abstract int maxRows();

  @Test
  void matchesTheReferenceOnRandomSides() {
    for (int i = 0; i < cases(); i++) {
      JoinKind[] kinds = JoinKind.values();
      check(kinds[random.nextInt(kinds.length)], keyTypes(random.nextInt(4)), maxRows());
    }
  }

  @Test
  void joinsEveryKindOverOneNumber() {
    for (JoinKind kind : JoinKind.values()) {
      check(kind, List.of(PrimitiveType.INT64), maxRows());
      check(kind, List.of(PrimitiveType.INT32), 3);
    }
  }

  @Test
  void joinsEveryKeyType() {
    for (DataType type : RandomBatches.flatTypes()) {
      check(JoinKind.INNER, List.of(type), maxRows());
    }
  }

  /**
   * More build rows than a table may have: partitioned, also several times, or joined in several
   * passes.
   */
  @Test
  void joinsEveryKindBeyondMemory() {
    for (JoinKind kind : JoinKind.values()) {
      for (int values : new int[] {1, 3, 1000}) {
        int rows = Math.min(maxRows(), values < 10 ? 40 : 1000);
        limits = randomLimits(15);
        check(kind, List.of(PrimitiveType.INT32, PrimitiveType.STRING), rows, values);
        check(kind, List.of(), 20, values);
      }
    }
  }

  /**
   * Joins a row with ten build rows without keys, each a batch of its own, which is any thread's.
   *
   * @return the build rows, numbered in the order of the input
   */
  List<List<Object>> joinWithoutKeys() {
    limits = JoinLimits.WHOLE_TABLE;
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));
    List<RecordBatch> build = new ArrayList<>();
    for (long i = 0; i < 10; i++) {
      build.add(oneRow(schema, i));
    }
    Collections.shuffle(build, random);
    List<RecordBatch> probe = List.of(oneRow(schema, 0));
    JoinSpec spec =
        new JoinSpec(
            JoinKind.INNER,
            schema,
            schema,
            List.of(),
            List.of(),
            null,
            List.of(),
            List.of(1),
            schema);
    return run(spec, probe, build);
  }

  /**
   * Joins in the order of the probe side where there is never memory for a table of all rows:
   * batches of the build side become tables one after the other.
   */
  void checkOrderInPasses(JoinKind kind, int keys) {
    limits = new JoinLimits(Long.MAX_VALUE, 1, 1 << 10, Long.MAX_VALUE);
    refusing = host -> RefusedCalls.ofEachCall(host, 1);
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.INT32, PrimitiveType.INT64));
    List<RecordBatch> probe = numberedRows(schema, 3, 40, true);
    List<RecordBatch> build = numberedRows(schema, 5, 8, kind != JoinKind.NULL_AWARE_ANTI);
    List<Integer> output =
        kind.yieldsPairs()
            ? List.of(1, 3)
            : kind.yieldsExistence()
                ? List.of(1, JoinSpec.existenceColumn(schema, schema))
                : List.of(1);
    DataType last = kind.yieldsExistence() ? PrimitiveType.BOOLEAN : PrimitiveType.INT64;
    List<DataType> types = List.of(PrimitiveType.INT64, last).subList(0, output.size());
    JoinSpec spec =
        new JoinSpec(
            kind,
            schema,
            schema,
            references(schema, keys),
            references(schema, keys),
            null,
            List.of(),
            output,
            RandomBatches.schemaOf(types));
    List<List<Object>> expected =
        new ReferenceJoin(spec, keys)
            .join(BatchAssertions.allRows(probe), BatchAssertions.allRows(build));
    expected.sort(Comparator.comparing(row -> (Long) row.get(0)));
    Collections.shuffle(build, random);
    BatchAssertions.assertRowsInOrder(expected, run(spec, probe, build));
  }

  /** Returns batches of rows with a few keys, some of them null, and their place in the input. */
  private List<RecordBatch> numberedRows(Schema schema, int count, int rows, boolean hasNulls) {
    List<RecordBatch> side = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      try (BatchBuilder builder = new BatchBuilder(schema, allocator)) {
        for (int row = 0; row < rows; row++) {
          Integer key = hasNulls && random.nextInt(20) == 0 ? null : random.nextInt(30);
          builder.appendRow(key, (long) i * rows + row);
        }
        side.add(builder.build(i));
      }
    }
    return side;
  }

  /** Returns a row that is its place in the input. */
  private RecordBatch oneRow(Schema schema, long sequence) {
    try (BatchBuilder builder = new BatchBuilder(schema, allocator)) {
      builder.appendRow(sequence);
      return builder.build(sequence);
    }
  }

  private List<DataType> keyTypes(int count) {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    Collections.shuffle(types, random);
    return types.subList(0, count);
  }

  /** Joins random sides with these keys, and beside them a number and columns of any types. */
  private void check(JoinKind kind, List<DataType> keys, int rows) {
    int values = 1 + random.nextInt(Math.max(rows / (1 + random.nextInt(10)), 1));
    limits = randomLimits(random.nextBoolean() ? 20 : 40);
    check(kind, keys, rows, values);
  }

  /** Returns how many allocations were refused. */
  final long refusals() {
    return refusals;
  }

  /**
   * Joins random sides while one allocation of the table's construction is refused: the rows must
   * be partitioned then.
   */
  void checkWithRefusal() {
    JoinKind[] kinds = JoinKind.values();
    buildGrants = random.nextInt(1 << random.nextInt(11));
    limits = new JoinLimits(1L << 40, 1L << 40, 1L << random.nextInt(16), 1L << random.nextInt(14));
    int values = 1 + random.nextInt(maxRows());
    List<DataType> keys = keyTypes(random.nextInt(3));
    check(kinds[random.nextInt(kinds.length)], keys, maxRows(), values);
  }

  /** Each call is refused its first allocation, then its second, and so on until it succeeds. */
  @Test
  void repeatsCallsThatAreRefusedMemory() {
    for (JoinKind kind : JoinKind.values()) {
      for (JoinLimits each : variousLimits()) {
        limits = each;
        long inARow = List.of(1L, 2L, 5L, Long.MAX_VALUE).get(random.nextInt(4));
        refusing = host -> RefusedCalls.ofEachCall(host, inARow);
        check(kind, keyTypes(random.nextInt(3)), Math.min(maxRows(), 60), 1 + random.nextInt(60));
      }
    }
    assertTrue(repeatedCalls > 0, "no call was repeated");
  }

  /** Limits for one part, several parts, spilled partitions, and the order of the probe side. */
  private List<JoinLimits> variousLimits() {
    return List.of(
        new JoinLimits(1L << 40, 1L << 40, 1 << 10, Long.MAX_VALUE),
        new JoinLimits(1L << 40, 1L << 40, 1 << 10, 1),
        randomLimits(12),
        new JoinLimits(1, 1, 1 << 10, 1),
        JoinLimits.WHOLE_TABLE);
  }

  /** Joins random sides again and again, each time with a later allocation refused. */
  void checkWithEachRefusal(JoinKind kind, int inARow) {
    for (JoinLimits each : variousLimits()) {
      List<DataType> keys = keyTypes(random.nextInt(3));
      wasRefused = true;
      for (long granted = 0; wasRefused; granted++) {
        long grants = granted;
        limits = each;
        refusing = host -> RefusedCalls.ofAllCalls(host, grants, inARow);
        check(kind, keys, 20, 1 + random.nextInt(20));
      }
    }
  }

  /** Draws limits; a table has fewer than two to the power of so many bytes. */
  private JoinLimits randomLimits(int bits) {
    long tableBytes = 1L << random.nextInt(bits);
    return new JoinLimits(
        tableBytes,
        1 + random.nextInt((int) Math.min(tableBytes, 1 << 20)),
        1L << random.nextInt(16),
        1L << random.nextInt(14));
  }

  private void check(JoinKind kind, List<DataType> keys, int rows, int values) {
    List<DataType> used = kind == JoinKind.NULL_AWARE_ANTI ? oneOf(keys) : keys;
    Schema probe = schema(used);
    Schema build = schema(used);
    List<List<Object>> pool = new ArrayList<>();
    for (int i = 0; i < values; i++) {
      pool.add(used.stream().map(type -> batches.value(type, NullPattern.NONE)).toList());
    }
    boolean isUnique = random.nextInt(3) == 0;
    List<RecordBatch> probeBatches = side(probe, used.size(), pool, rows, false);
    List<RecordBatch> buildBatches = side(build, used.size(), pool, rows, isUnique);
    JoinSpec spec = spec(kind, probe, build, used.size());
    List<List<Object>> expected =
        new ReferenceJoin(spec, used.size())
            .join(BatchAssertions.allRows(probeBatches), BatchAssertions.allRows(buildBatches));
    BatchAssertions.assertRowsInAnyOrder(expected, run(spec, probeBatches, buildBatches));
  }

  private static List<DataType> oneOf(List<DataType> keys) {
    return keys.isEmpty() ? List.of(PrimitiveType.INT32) : keys.subList(0, 1);
  }

  /** Keys, a number, and any two columns. */
  private Schema schema(List<DataType> keys) {
    List<DataType> types = new ArrayList<>(keys);
    types.add(PrimitiveType.INT64);
    types.addAll(keyTypes(2));
    return RandomBatches.schemaOf(types);
  }

  private List<RecordBatch> side(
      Schema schema, int keys, List<List<Object>> pool, int rows, boolean isUnique) {
    List<RecordBatch> side = new ArrayList<>();
    double nulls = random.nextInt(3) == 0 ? 0.2 : 0;
    int next = 0;
    // without keys every row meets every other
    int most = keys == 0 ? Math.min(rows, 40) : rows;
    for (int i = random.nextInt(MAX_BATCHES); i > 0; i--) {
      try (BatchBuilder builder = new BatchBuilder(schema, allocator)) {
        for (int row = random.nextInt(most + 1); row > 0; row--) {
          if (isUnique && next == pool.size()) {
            break;
          }
          List<Object> key = pool.get(isUnique ? next++ : random.nextInt(pool.size()));
          builder.appendRow(row(schema, key, nulls));
        }
        RecordBatch plain = builder.build(i);
        side.add(new DictionaryEncoder(random, allocator).encode(plain, ColumnEncoding.MIXED));
      }
    }
    return side;
  }

  private Object[] row(Schema schema, List<Object> key, double nulls) {
    Object[] values = new Object[schema.columnCount()];
    for (int c = 0; c < values.length; c++) {
      if (random.nextDouble() >= nulls) {
        values[c] =
            c < key.size()
                ? key.get(c)
                : c == key.size()
                    ? (Object) (long) random.nextInt(100)
                    : batches.value(schema.field(c).type(), NullPattern.NONE);
      }
    }
    return values;
  }

  private JoinSpec spec(JoinKind kind, Schema probe, Schema build, int keys) {
    boolean hasCondition = kind != JoinKind.NULL_AWARE_ANTI && random.nextBoolean();
    List<Integer> output = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    boolean hasBuildColumns = kind.yieldsPairs() || kind.yieldsOnlyBuildRows();
    int end = probe.columnCount() + (hasBuildColumns ? build.columnCount() : 0);
    for (int c = kind.yieldsOnlyBuildRows() ? probe.columnCount() : 0; c < end; c++) {
      if (random.nextInt(5) > 0) {
        output.add(c);
        fields.add(field(probe, build, c));
      }
    }
    if (kind.yieldsExistence()) {
      output.add(JoinSpec.existenceColumn(probe, build));
      fields.add(new Field("exists", PrimitiveType.BOOLEAN, false));
    }
    return new JoinSpec(
        kind,
        probe,
        build,
        references(probe, keys),
        references(build, keys),
        hasCondition ? less() : null,
        hasCondition ? List.of(keys, probe.columnCount() + keys) : List.of(),
        output,
        new Schema(fields));
  }

  private static Field field(Schema probe, Schema build, int column) {
    return column < probe.columnCount()
        ? probe.field(column)
        : build.field(column - probe.columnCount());
  }

  private static List<Expression> references(Schema schema, int count) {
    List<Expression> references = new ArrayList<>();
    for (int c = 0; c < count; c++) {
      references.add(new ColumnReference(c, schema.field(c).type(), true));
    }
    return references;
  }

  private static Expression less() {
    return new Call(
        Function.LESS,
        List.of(
            new ColumnReference(0, PrimitiveType.INT64, true),
            new ColumnReference(1, PrimitiveType.INT64, true)),
        PrimitiveType.BOOLEAN,
        true,
        EvaluationMode.LEGACY,
        ExpressionError.NO_ORIGIN);
  }

  private List<List<Object>> run(JoinSpec spec, List<RecordBatch> probe, List<RecordBatch> build) {
    if (random.nextBoolean()) {
      return run(spec, probe, build, SpillSpace.unmoved(MemoryTier.HOST));
    }
    try (EagerSpillSpace disk = new EagerSpillSpace(folder)) {
      return run(spec, probe, build, disk);
    }
  }

  private List<List<Object>> run(
      JoinSpec spec, List<RecordBatch> probe, List<RecordBatch> build, SpillSpace spill) {
    RefusingAllocator host = new RefusingAllocator(allocator);
    BufferAllocator kernels = kernelAllocator(backend, host);
    OperatorContext context =
        new OperatorContext(
            host,
            kernels,
            backend,
            () -> false,
            ErrorReplay.PLAIN,
            spill,
            SpillSpace.unmoved(kernels.tier()),
            2);
    HashJoin join = new HashJoin(spec, 1 + random.nextInt(2 * maxRows()), limits);
    List<List<Object>> output = new ArrayList<>();
    RefusedCalls calls = refusing.on(host);
    try (SinkOperator sink = calls.create(() -> join.build().create(context))) {
      List<SinkState> drivers = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        drivers.add(calls.create(sink::newLocal));
      }
      build.forEach(batch -> calls.add(drivers.get(random.nextInt(drivers.size())), batch));
      drivers.forEach(driver -> finish(driver, calls));
      drivers.forEach(sink::combine);
      calls.run(sink, sink::finish);
      try (SplitSource splits = sink.takeSplits();
          SinkOperator table = join.table().create(context)) {
        long refused = buildGrants == Long.MAX_VALUE ? 0 : 1;
        if (refused > 0) {
          host.refuseAfter(buildGrants, refused);
        }
        makeParts(splits, calls);
        SinkState driver = table.newLocal();
        if (random.nextBoolean()) {
          driver.finish(); // a column; complete() concatenates the others
        }
        table.combine(driver);
        calls.run(table, table::finish);
        if (refused > 0) {
          refusals += refused - host.grantAll();
        }
        probe(join, probe, context, calls, output);
      }
    }
    wasRefused = calls.end();
    repeatedCalls += calls.repeated();
    return output;
  }

  /** Finishes a driver's state, or leaves that to the sink. */
  private void finish(SinkState driver, RefusedCalls calls) {
    if (random.nextBoolean()) {
      boolean isOver = false;
      while (!isOver) {
        isOver = calls.call(driver, driver::finish);
      }
    }
  }

  /** Drives splits side by side, in any order. */
  private void makeParts(SplitSource source, RefusedCalls calls) {
    List<Split> splits = new ArrayList<>();
    for (Split split = source.next(); split != null; split = source.next()) {
      splits.add(split);
    }
    while (!splits.isEmpty()) {
      Split split = splits.get(random.nextInt(splits.size()));
      RecordBatch batch = calls.call(split, split::next);
      if (batch == null) {
        split.close();
        splits.remove(split);
      } else {
        assertEquals(0, batch.rowCount());
        batch.close();
      }
    }
  }

  private void probe(
      HashJoin join,
      List<RecordBatch> probe,
      OperatorContext context,
      RefusedCalls calls,
      List<List<Object>> output) {
    List<Operator> operators = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      operators.add(calls.create(() -> join.probe().create(context)));
    }
    for (RecordBatch batch : probe) {
      Operator operator = operators.get(random.nextInt(operators.size()));
      if (operator.needsInput()) {
        calls.add(operator, batch);
      } else {
        batch.close();
      }
      drain(operator, calls, output);
    }
    for (Operator operator : operators) {
      calls.run(operator, operator::finish);
      drain(operator, calls, output);
    }
    for (Operator operator : operators) {
      assertTrue(operator.isBlocked().isDone());
      drain(operator, calls, output);
      assertTrue(operator.isFinished());
      operator.close();
    }
  }

  private void drain(Operator operator, RefusedCalls calls, List<List<Object>> output) {
    OperatorContext unrefused =
        new OperatorContext(
            allocator,
            kernelAllocator(backend, allocator),
            backend,
            () -> false,
            ErrorReplay.PLAIN);
    RecordBatch batch;
    while ((batch = calls.call(operator, operator::getOutput)) != null) {
      try (RecordBatch read = unrefused.transfer().toHost(batch)) {
        output.addAll(BatchAssertions.rows(read));
      }
    }
  }
}
