package io.ariadne.benchmark.operators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import org.junit.jupiter.api.Test;

class TestAnswerDigest {
  private static final Schema SCHEMA =
      Schema.of(
          new Field("a", PrimitiveType.INT64, false), new Field("b", PrimitiveType.INT32, false));

  private static long digest(boolean isOrdered, long[]... rows) {
    AnswerDigest digest = new AnswerDigest(isOrdered);
    try (MemoryPool pool = MemoryPools.host("test", 1 << 20);
        BatchBuilder builder = new BatchBuilder(SCHEMA, pool)) {
      for (long[] row : rows) {
        builder.appendRow(row[0], (int) row[1]);
      }
      try (RecordBatch batch = builder.build(0)) {
        digest.add(batch);
      }
    }
    return digest.value();
  }

  @Test
  void orderCountsWhereThereIsOne() {
    long[][] rows = {{1, 2}, {3, 4}};
    long[][] swapped = {{3, 4}, {1, 2}};
    assertEquals(digest(false, rows), digest(false, swapped));
    assertNotEquals(digest(true, rows), digest(true, swapped));
  }

  /** As when a join takes the wrong row of its build side. */
  @Test
  void valuesBelongToTheirRows() {
    assertNotEquals(
        digest(false, new long[] {1, 2}, new long[] {3, 4}),
        digest(false, new long[] {1, 4}, new long[] {3, 2}));
  }
}
