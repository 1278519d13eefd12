package io.ariadne.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.testing.BackendUnderTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The aggregation by functions of the JVM on a back end: groups are those of plain Java, rows come
 * in their order.
 */
abstract class AbstractTestBridgedAggregate implements BackendUnderTest {
  private static final Field CHAIN = new Field("chain", PrimitiveType.INT64, true);
  private static final Schema INPUT =
      Schema.of(
          new Field("a", PrimitiveType.STRING, true),
          new Field("b", PrimitiveType.INT32, true),
          new Field("c", PrimitiveType.INT64, true));

  private Backend backend;
  private RandomBatches batches;
  private TestingAllocator memory;
  private BufferAllocator allocator;

  @BeforeEach
  void open() {
    batches = RandomBatches.create();
    memory = new TestingAllocator();
    allocator = allocator(memory);
    backend = openBackend(batches.seed());
  }

  @AfterEach
  void close() {
    if (backend != null) { // null when there is no such back end here
      backend.close();
    }
    memory.assertNothingOpen();
  }

  @Test
  void testGroupsAndTheirOrder() {
    for (int keyCount = 0; keyCount <= 2; keyCount++) {
      for (int batchCount : new int[] {0, 1, 3}) {
        check(keyCount, batchCount);
      }
    }
  }

  private void check(int keyCount, int batchCount) {
    Map<List<Object>, Long> expected = new LinkedHashMap<>();
    if (keyCount == 0) {
      expected.put(List.of(), null);
    }
    List<RecordBatch> input = new ArrayList<>();
    for (int i = 0; i < batchCount; i++) {
      RecordBatch batch =
          batches.batch(INPUT, 500, NullPattern.values()[i], ColumnEncoding.MIXED, allocator);
      for (List<Object> row : BatchAssertions.rows(batch)) {
        List<Object> key = new ArrayList<>(row.subList(0, keyCount));
        expected.put(key, chained(expected.get(key), row.get(2)));
      }
      input.add(batch);
    }
    List<List<Object>> rows = new ArrayList<>();
    expected.forEach(
        (key, value) -> {
          List<Object> row = new ArrayList<>(key);
          row.add(value);
          rows.add(row);
        });
    assertEquals(rows, aggregate(keyCount, input));
  }

  private static Long chained(Long before, Object value) {
    return (before == null ? 1 : before) * 31 + (value == null ? 7 : (Long) value);
  }

  private List<List<Object>> aggregate(int keyCount, List<RecordBatch> input) {
    OperatorContext context =
        new OperatorContext(
            allocator,
            kernelAllocator(backend, allocator),
            backend,
            () -> false,
            ErrorReplay.PLAIN);
    List<Field> fields = new ArrayList<>(INPUT.fields().subList(0, keyCount));
    fields.add(CHAIN);
    List<List<Object>> result = new ArrayList<>();
    try (SinkOperator sink =
        new BridgedAggregateOperatorFactory(
                INPUT, keyCount, new Chain(keyCount), new Schema(fields))
            .create(context)) {
      SinkState local = sink.newLocal();
      input.forEach(local::addInput);
      sink.combine(local);
      sink.finish();
      while (!sink.isFinished()) {
        try (RecordBatch batch = context.transfer().toHost(sink.getOutput())) {
          result.addAll(BatchAssertions.rows(batch));
        }
      }
    }
    return result;
  }

  /**
   * Something on which the order of rows shows.
   *
   * @param keyCount columns that come before the arguments in the test's input
   */
  private record Chain(int keyCount) implements AggregationFunction {
    @Override
    public Schema outputSchema() {
      return Schema.of(CHAIN);
    }

    @Override
    public String description() {
      return "chain";
    }

    @Override
    public Groups newGroups(BufferAllocator allocator) {
      return new ChainGroups(2 - keyCount, allocator);
    }
  }

  private static final class ChainGroups implements AggregationFunction.Groups {
    private final int column;
    private final BufferAllocator allocator;
    private final List<Long> values = new ArrayList<>();

    ChainGroups(int column, BufferAllocator allocator) {
      this.column = column;
      this.allocator = allocator;
    }

    @Override
    public void update(RecordBatch rows, MemoryBuffer groups, int groupCount) {
      while (values.size() < groupCount) {
        values.add(null);
      }
      ColumnReader reader = new ColumnReader(rows.column(column));
      for (int row = 0; row < rows.rowCount(); row++) {
        int group = groups == null ? 0 : groups.getInt((long) row * Integer.BYTES);
        Object value = reader.isNull(row) ? null : (Object) reader.getLong(row);
        values.set(group, chained(values.get(group), value));
      }
    }

    @Override
    public List<ColumnVector> read(int first, int count) {
      try (BatchBuilder builder = new BatchBuilder(Schema.of(CHAIN), allocator)) {
        for (int group = first; group < first + count; group++) {
          builder.appendRow(group < values.size() ? values.get(group) : null);
        }
        try (RecordBatch batch = builder.build(0)) {
          return List.of(batch.takeColumn(0));
        }
      }
    }

    @Override
    public void close() {
      values.clear();
    }
  }
}
