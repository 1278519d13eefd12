package io.ariadne.operator.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.AbstractTestOperator;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks which rows a limit emits, and the contract of operators. */
class TestLimitOperator extends AbstractTestOperator {
  private static final int ROWS = 10;
  private static final int BATCHES = 4;

  private static final Schema SCHEMA =
      RandomBatches.schemaOf(
          List.of(
              PrimitiveType.INT32,
              PrimitiveType.STRING,
              PrimitiveType.BOOLEAN,
              new ListType(PrimitiveType.INT64, true)));

  @Override
  protected Schema inputSchema() {
    return SCHEMA;
  }

  @Override
  protected OperatorFactory factory() {
    return new LimitOperatorFactory(SCHEMA, 700, 2500);
  }

  @Test
  void skipsAndCountsRows() {
    for (int offset = 0; offset <= ROWS * BATCHES + 1; offset++) {
      for (int count = 0; count <= ROWS * BATCHES + 1; count += count == 12 ? 5 : 1) {
        check(offset, count);
      }
      check(offset, LimitOperatorFactory.ALL);
    }
  }

  private static void check(long offset, long count) {
    List<List<Object>> all = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    int taken = 0;
    TestingAllocator allocator = new TestingAllocator();
    RandomBatches batches = new RandomBatches(offset);
    try (Backend backend = HostBackend.open();
        Operator limit =
            new LimitOperatorFactory(SCHEMA, offset, count)
                .create(new OperatorContext(allocator, backend, () -> false))) {
      for (int i = 0; i < BATCHES; i++) {
        RecordBatch batch = batches.batch(SCHEMA, ROWS, NullPattern.SOME, allocator);
        all.addAll(BatchAssertions.rows(batch));
        if (!limit.needsInput()) {
          assertTrue(limit.isFinished());
          batch.close();
          continue;
        }
        taken++;
        limit.addInput(batch);
        assertFalse(limit.isFinished() && limit.needsInput());
        try (RecordBatch output = limit.getOutput()) {
          if (output != null) {
            rows.addAll(BatchAssertions.rows(output));
          }
        }
      }
    }
    long end = Math.min(all.size(), count > ROWS * BATCHES ? Long.MAX_VALUE : offset + count);
    List<List<Object>> expected = offset >= end ? List.of() : all.subList((int) offset, (int) end);
    BatchAssertions.assertRowsInOrder(expected, rows);
    long wanted = count == 0 ? 0 : Math.min(BATCHES, (end + ROWS - 1) / ROWS);
    assertEquals(count == 0 ? 0 : offset >= end ? BATCHES : wanted, taken);
    allocator.assertNothingOpen();
  }

  @Test
  void wholeBatchesPassUnchanged() {
    TestingAllocator allocator = new TestingAllocator();
    try (Backend backend = HostBackend.open();
        RecordBatch batch = new RandomBatches(1).batch(SCHEMA, ROWS, NullPattern.SOME, allocator);
        Operator limit =
            new LimitOperatorFactory(SCHEMA, 0, ROWS)
                .create(new OperatorContext(allocator, backend, () -> false))) {
      limit.addInput(batch);
      assertSame(batch, limit.getOutput());
      assertTrue(limit.isFinished());
    }
  }

  @Test
  void rejectsNegativeNumbers() {
    assertThrows(IllegalArgumentException.class, () -> new LimitOperatorFactory(SCHEMA, -1, 1));
    assertThrows(IllegalArgumentException.class, () -> new LimitOperatorFactory(SCHEMA, 0, -1));
  }
}
