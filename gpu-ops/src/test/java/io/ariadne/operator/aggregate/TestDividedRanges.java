package io.ariadne.operator.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.spill.EagerSpillSpace;
import io.ariadne.spill.SpillSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A range of partitions that does not fit a table is repartitioned by further bits of the hashes,
 * at as many levels as necessary; lists keep the order of their rows.
 */
class TestDividedRanges {
  private static final int BATCH_ROWS = 1000;
  private static final int KEYS_TO_HASH = 1 << 20;

  /** More bits than one level has. */
  private static final int COLLIDING_BITS = 12;

  private static final Schema INPUT =
      Schema.of(
          new Field("key", PrimitiveType.INT64, false),
          new Field("value", PrimitiveType.INT64, false));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @TempDir private Path folder;
  private final Random random = new Random(Long.getLong("ariadne.test.seed", 0L));
  private Backend backend;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
  }

  @AfterEach
  void close() {
    backend.close();
  }

  /** A table fits one group, hardly two. */
  @Test
  void repartitionsAtManyLevels() {
    int keys = 1 + random.nextInt(3000);
    check(new GroupLimits(64, 10_000, 20_000, 1), 20_000, () -> random.nextInt(keys));
  }

  @Test
  void repartitionsManyGroups() {
    check(
        new GroupLimits(500, Long.MAX_VALUE, 100_000, 50_000),
        60_000,
        () -> random.nextInt(40_000));
  }

  /** All keys are in one partition, and in few partitions of the next level. */
  @Test
  void repartitionsGroupsWithEqualHashes() {
    List<Long> keys = collidingKeys();
    assertTrue(keys.size() > 1 << 6, () -> keys.size() + " keys");
    check(
        new GroupLimits(32, Long.MAX_VALUE, 20_000, 3000),
        30_000,
        () -> keys.get(random.nextInt(keys.size())));
  }

  /** Other groups are repartitioned although one group exceeds the limit of a table. */
  @Test
  void repartitionsBesideOneLargeGroup() {
    check(
        new GroupLimits(100, 20_000, 50_000, 30_000),
        50_000,
        () -> random.nextInt(10) > 0 ? -1 : random.nextInt(2000));
  }

  private void check(GroupLimits limits, int rows, LongSupplier keys) {
    check(limits, rows, keys, SpillSpace.unmoved(MemoryTier.HOST));
    try (EagerSpillSpace disk = new EagerSpillSpace(folder)) {
      check(limits, rows, keys, disk);
    }
  }

  private void check(GroupLimits limits, int rows, LongSupplier keys, SpillSpace spill) {
    Map<Long, List<Long>> expected = new HashMap<>();
    Map<Long, List<Long>> actual = new HashMap<>();
    try (SinkOperator sink = sink(limits, spill)) {
      SinkState local = sink.newLocal();
      for (long row = 0; row < rows; row += BATCH_ROWS) {
        local.addInput(batch(row, keys, expected));
      }
      if (random.nextBoolean()) {
        local.finish();
      }
      sink.combine(local);
      sink.finish();
      while (!sink.isFinished()) {
        RecordBatch batch = sink.getOutput();
        if (batch != null) {
          take(batch, actual);
        }
      }
    }
    assertEquals(expected, actual);
  }

  private RecordBatch batch(long firstRow, LongSupplier keys, Map<Long, List<Long>> lists) {
    try (BatchBuilder builder = new BatchBuilder(INPUT, memory.allocator())) {
      for (long row = firstRow; row < firstRow + BATCH_ROWS; row++) {
        long key = keys.getAsLong();
        builder.appendRow(key, row);
        lists.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
      }
      return builder.build(0);
    }
  }

  private static void take(RecordBatch output, Map<Long, List<Long>> lists) {
    try (output) {
      for (List<Object> row : BatchAssertions.rows(output)) {
        List<Long> values = ((List<?>) row.get(1)).stream().map(Long.class::cast).toList();
        assertEquals((long) values.size(), row.get(2));
        assertEquals(null, lists.put((Long) row.get(0), values), "a group comes twice");
      }
    }
  }

  private SinkOperator sink(GroupLimits limits, SpillSpace spill) {
    Expression key = new ColumnReference(0, PrimitiveType.INT64, false);
    Expression value = new ColumnReference(1, PrimitiveType.INT64, false);
    ListType lists = new ListType(PrimitiveType.INT64, false);
    Field buffer = new Field("buf", PrimitiveType.BINARY, true);
    Field count = new Field("count", PrimitiveType.INT64, false);
    Schema output =
        Schema.of(
            new Field("key", PrimitiveType.INT64, false), new Field("list", lists, false), count);
    return new HashAggregateOperatorFactory(
            true,
            INPUT,
            null,
            List.of(key),
            List.of(
                call(AggregateFunction.COLLECT_LIST, List.of(value), buffer, lists),
                call(AggregateFunction.COUNT, List.of(), count, PrimitiveType.INT64)),
            output,
            ExpressionError.NO_ORIGIN,
            limits)
        .create(
            new OperatorContext(
                memory.allocator(),
                memory.allocator(),
                backend,
                () -> false,
                ErrorReplay.PLAIN,
                spill,
                spill,
                2));
  }

  private static AggregateCall call(
      AggregateFunction function, List<Expression> arguments, Field buffer, DataType result) {
    return new AggregateCall(
        function,
        arguments,
        null,
        List.of(buffer),
        AggregateCall.UPDATES,
        result,
        EvaluationMode.LEGACY);
  }

  /** Returns keys whose hashes begin with the same bits. */
  private List<Long> collidingKeys() {
    List<Long> colliding = new ArrayList<>();
    int shift = Long.SIZE - COLLIDING_BITS;
    try (MemoryBuffer ids = memory.allocator().allocate((long) KEYS_TO_HASH * Integer.BYTES);
        MemoryBuffer keys = memory.allocator().allocate((long) KEYS_TO_HASH * Long.BYTES);
        GroupTable table = new GroupTable(backend, memory.allocator(), List.of(PhysicalType.I64))) {
      for (int key = 0; key < KEYS_TO_HASH; key++) {
        keys.putLong((long) key * Long.BYTES, key);
      }
      // not closed: its buffer is
      ColumnVector column =
          ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, KEYS_TO_HASH, keys, null);
      table.assign(List.of(column), KEYS_TO_HASH, ids);
      long stride = (long) table.keyWords() * Long.BYTES;
      long wanted = table.groupKeys().getLong(0) >>> shift;
      for (int group = 0; group < KEYS_TO_HASH; group++) {
        if (table.groupKeys().getLong(group * stride) >>> shift == wanted) {
          colliding.add((long) group);
        }
      }
    }
    return colliding;
  }
}
