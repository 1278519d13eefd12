package io.ariadne.operator.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A batch of groups does not retain the strings of all groups. */
class TestGroupKeyHeaps {
  private static final int GROUPS = 40_000;
  private static final int KEY_BYTES = 22;
  private static final Schema KEYS = Schema.of(new Field("key", PrimitiveType.STRING, false));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @Test
  void lastBatchRetainsOnlyItsOwnStrings() {
    List<RecordBatch> output = new ArrayList<>();
    try (Backend backend = HostBackend.open();
        SinkOperator sink = open(backend)) {
      SinkState local = sink.newLocal();
      local.addInput(keys());
      sink.combine(local);
      sink.finish();
      while (!sink.isFinished()) {
        output.add(sink.getOutput());
      }
    }
    assertEquals(2, output.size());
    RecordBatch last = output.get(1);
    ColumnVector strings = last.column(0);
    assertTrue(last.rowCount() < GROUPS / 2);
    assertEquals(
        (long) last.rowCount() * KEY_BYTES,
        strings.heaps().stream().mapToLong(heap -> heap.lengthInBytes()).sum());
    ColumnReader reader = new ColumnReader(strings);
    int first = GROUPS - last.rowCount();
    for (int row = 0; row < last.rowCount(); row++) {
      assertEquals(key(first + row), reader.getString(row));
    }
    output.forEach(RecordBatch::close);
  }

  private SinkOperator open(Backend backend) {
    List<Expression> keys = List.of(new ColumnReference(0, PrimitiveType.STRING, false));
    return new HashAggregateOperatorFactory(true, KEYS, null, keys, List.of(), KEYS)
        .create(new OperatorContext(memory.allocator(), backend, () -> false));
  }

  private RecordBatch keys() {
    try (BatchBuilder builder = new BatchBuilder(KEYS, memory.allocator())) {
      for (int i = 0; i < GROUPS; i++) {
        ((ViewBuilder) builder.column(0)).append(key(i));
      }
      return builder.build(0);
    }
  }

  private static String key(int group) {
    return String.format("key of the group %05d", group);
  }
}
