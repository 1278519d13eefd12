package io.ariadne.operator.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Keys with so many characters that their bytes limit tables, merges and output batches. */
class TestLongKeys {
  private static final int LONG_BYTES = 20_000;
  private static final int LONG_KEYS = 200;
  private static final int SHORT_KEYS = 3_000;
  private static final int BATCH_ROWS = 50;
  private static final long KEY_BYTES = 300_000;
  private static final PrimitiveType TEXT = PrimitiveType.STRING;
  private static final Schema KEYS = Schema.of(new Field("key", TEXT, true));
  private static final Field COUNT = new Field("count", PrimitiveType.INT64, false);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final Random random = new Random(Long.getLong("ariadne.test.seed", 0L));

  @Test
  void movesTablesToRunsByBytesOfKeys() {
    checkGroups(new GroupLimits(1 << 16, KEY_BYTES), 1);
  }

  /** Rows repeat keys: merging keeps the memory close to the bytes of the distinct keys. */
  @Test
  void mergesRunsByBytesOfKeys() {
    checkGroups(new GroupLimits(1 << 16, KEY_BYTES), 10);
  }

  @Test
  void readsKeysOfOneTable() {
    checkGroups(null, 2);
  }

  private void checkGroups(GroupLimits limits, int repetitions) {
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < (LONG_KEYS + SHORT_KEYS) * repetitions; i++) {
      rows.add(random.nextInt(LONG_KEYS + SHORT_KEYS));
    }
    Map<String, Long> expected = new HashMap<>();
    rows.forEach(row -> expected.merge(name(keyOf(row)), 1L, Long::sum));
    try (Backend backend = HostBackend.open();
        SinkOperator sink = open(backend, limits)) {
      SinkState[] locals = {sink.newLocal(), sink.newLocal()};
      for (int first = 0; first < rows.size(); first += BATCH_ROWS) {
        List<Integer> some = rows.subList(first, Math.min(rows.size(), first + BATCH_ROWS));
        locals[random.nextInt(2)].addInput(batch(some));
      }
      long held = memory.allocator().allocatedBytes();
      long different = (long) LONG_BYTES * LONG_KEYS;
      assertTrue(held < 16 * different, () -> held + " bytes");
      sink.combine(locals[0]);
      sink.combine(locals[1]);
      sink.finish();
      assertEquals(expected, groups(sink));
    }
  }

  private static Map<String, Long> groups(SinkOperator sink) {
    Map<String, Long> groups = new HashMap<>();
    while (!sink.isFinished()) {
      try (RecordBatch batch = sink.getOutput()) {
        if (batch == null) {
          continue;
        }
        ColumnReader keys = new ColumnReader(batch.column(0));
        ColumnReader counts = new ColumnReader(batch.column(1));
        for (int row = 0; row < batch.rowCount(); row++) {
          byte[] key = keys.isNull(row) ? null : keys.getBytes(row);
          assertEquals(null, groups.put(name(key), counts.getLong(row)));
        }
      }
    }
    return groups;
  }

  private SinkOperator open(Backend backend, GroupLimits limits) {
    List<Expression> keys = List.of(new ColumnReference(0, TEXT, true));
    AggregateCall count = AggregateCall.of(AggregateFunction.COUNT, List.of(), COUNT);
    Schema output = Schema.of(KEYS.field(0), COUNT);
    return new HashAggregateOperatorFactory(
            true, KEYS, null, keys, List.of(count), output, ExpressionError.NO_ORIGIN, limits)
        .create(new OperatorContext(memory.allocator(), backend, () -> false));
  }

  private RecordBatch batch(List<Integer> rows) {
    try (BatchBuilder builder = new BatchBuilder(KEYS, memory.allocator())) {
      ViewBuilder strings = (ViewBuilder) builder.column(0);
      for (int row : rows) {
        byte[] key = keyOf(row);
        if (key == null) {
          strings.appendNull();
        } else {
          strings.append(key);
        }
      }
      return builder.build(0);
    }
  }

  /** Returns a key by its number: long ones, short ones and one null. */
  private static byte[] keyOf(int number) {
    if (number == 0) {
      return null;
    }
    byte[] key = new byte[number < LONG_KEYS ? LONG_BYTES + number % 17 : 3 + number % 30];
    Arrays.fill(key, (byte) 'x');
    for (int digit = number, i = key.length - 1; i >= 0 && digit > 0; digit /= 26) {
      key[i--] = (byte) ('a' + digit % 26);
    }
    return key;
  }

  private static String name(byte[] key) {
    return key == null ? "null" : key.length + " " + Arrays.hashCode(key);
  }

  /** A key heap that is too large for the views of one heap, and for one batch. */
  @Test
  void copiesKeysToHeapsThatViewsCanAddress() {
    List<Integer> rows = List.of(5, 0, 300, 6, 301, 7, 302, 8);
    List<PhysicalType> kinds = List.of(PhysicalType.VIEW16);
    try (Backend backend = HostBackend.open();
        GroupTable table = new GroupTable(backend, memory.allocator(), kinds);
        RecordBatch batch = batch(rows);
        MemoryBuffer ids = memory.allocator().allocate((long) rows.size() * Integer.BYTES)) {
      table.assign(List.of(batch.column(0)), rows.size(), ids);
      OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
      try (GroupKeys keys = new GroupKeys(List.of(TEXT), context, table, 10, 2 * LONG_BYTES + 50)) {
        assertEquals(5, keys.countThatFits(0, 6)); // the third long one is the sixth group
        assertEquals(1, keys.countThatFits(5, 1));
        try (ColumnVector column = keys.read(GroupSelection.range(0, rows.size())).get(0)) {
          ColumnReader reader = new ColumnReader(column);
          for (int row = 0; row < rows.size(); row++) {
            byte[] key = keyOf(rows.get(row));
            assertEquals(name(key), name(reader.isNull(row) ? null : reader.getBytes(row)));
          }
          assertTrue(column.heaps().size() > 0);
          assertEquals(4, HeapCompaction.liveBytes(column) / LONG_BYTES);
        }
      }
    }
  }
}
