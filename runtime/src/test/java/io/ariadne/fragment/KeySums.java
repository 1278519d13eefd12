package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ScanNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A query of many groups: sum and count by keys from 0 on, each of which two splits have, with
 * three times the key as its value.
 *
 * @param keys how many, a multiple of the rows of a batch
 * @param rowsPerBatch rows of a batch, of which each split has one
 */
record KeySums(int keys, int rowsPerBatch) {
  private static final int ROWS_PER_KEY = 2;

  private static final Schema SCHEMA =
      Schema.of(
          new Field("key", PrimitiveType.INT64, false),
          new Field("value", PrimitiveType.INT64, false));
  private static final Schema OUTPUT =
      Schema.of(
          SCHEMA.field(0),
          new Field("sum", PrimitiveType.INT64, true),
          new Field("count", PrimitiveType.INT64, false));

  /** Returns the plan, over scan 0. */
  static PlanNode plan() {
    Expression key = new ColumnReference(0, PrimitiveType.INT64, false);
    Expression value = new ColumnReference(1, PrimitiveType.INT64, false);
    return SumAndCount.of(1, new ScanNode(0, 0, SCHEMA), List.of(key), value, OUTPUT);
  }

  /** Returns the scan, for one run. */
  TestingScan scan() {
    List<List<TestingScan.BatchMaker>> splits = new ArrayList<>();
    for (int pass = 0; pass < ROWS_PER_KEY; pass++) {
      for (int first = 0; first < keys; first += rowsPerBatch) {
        int from = first;
        splits.add(List.of(allocator -> batch(from, allocator)));
      }
    }
    return new TestingScan(SCHEMA, splits);
  }

  private RecordBatch batch(int firstKey, BufferAllocator allocator) {
    try (BatchBuilder builder = new BatchBuilder(SCHEMA, allocator)) {
      for (int i = 0; i < rowsPerBatch; i++) {
        long key = (long) firstKey + i;
        builder.appendRow(key, 3 * key);
      }
      return builder.build(0);
    }
  }

  /** Pumps to the end and checks that every key comes once, with its sum and count. */
  void check(FragmentExecution execution) {
    boolean[] seen = new boolean[keys];
    int groups = 0;
    for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
      try (RecordBatch open = batch) {
        groups += open.rowCount();
        check(open, seen);
      }
    }
    assertEquals(keys, groups);
  }

  private static void check(RecordBatch batch, boolean[] seen) {
    ColumnReader keys = new ColumnReader(batch.column(0));
    ColumnReader sums = new ColumnReader(batch.column(1));
    ColumnReader counts = new ColumnReader(batch.column(2));
    for (int row = 0; row < batch.rowCount(); row++) {
      int key = (int) keys.getLong(row);
      assertFalse(seen[key], "key " + key + " occurs twice");
      seen[key] = true;
      assertEquals(ROWS_PER_KEY, counts.getLong(row));
      assertEquals(3L * key * ROWS_PER_KEY, sums.getLong(row));
    }
  }
}
