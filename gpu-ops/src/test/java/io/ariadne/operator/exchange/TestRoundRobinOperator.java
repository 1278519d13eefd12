package io.ariadne.operator.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Rows are numbered round robin across batches, also when batches are refused memory in between.
 */
class TestRoundRobinOperator {
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(List.of(PrimitiveType.STRING, PrimitiveType.INT64));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final RandomBatches batches = RandomBatches.create();

  @Test
  void numbersContinueFromBatchToBatch() {
    for (int partitions : new int[] {1, 2, 7, 1000}) {
      try (Backend backend = HostBackend.open();
          RoundRobinOperator operator = create(partitions, backend)) {
        int next = 0;
        for (int rows : new int[] {1, 13, 64, 300}) {
          next = check(operator, rows, partitions, next);
        }
      }
    }
  }

  private int check(RoundRobinOperator operator, int rows, int partitions, int next) {
    RecordBatch input = batches.batch(SCHEMA, rows, NullPattern.SOME, memory.allocator());
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : BatchAssertions.rows(input)) {
      List<Object> numbered = new ArrayList<>(row.subList(0, 1));
      numbered.add(next);
      expected.add(numbered);
      next = (next + 1) % partitions;
    }
    operator.addInput(input);
    try (RecordBatch output = operator.getOutput()) {
      BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(output));
    }
    return next;
  }

  @Test
  void refusedRowsAreNotNumbered() {
    try (Backend backend = HostBackend.open();
        RoundRobinOperator operator = create(5, backend)) {
      int next = check(operator, 3, 5, 0);
      RecordBatch input = batches.batch(SCHEMA, 9, NullPattern.SOME, memory.allocator());
      memory.allocator().failAfter(0);
      assertThrows(EngineException.class, () -> operator.addInput(input));
      memory.allocator().failAfter(Long.MAX_VALUE);
      try (RecordBatch refused = operator.takeUnprocessed()) {
        assertEquals(9, refused.rowCount());
      }
      check(operator, 4, 5, next);
    }
  }

  @Test
  void rejectsZeroPartitions() {
    Exception e =
        assertThrows(
            IllegalArgumentException.class, () -> new RoundRobinOperatorFactory(SCHEMA, 1, 0));
    assertTrue(e.getMessage().contains("partitions=0"), e.getMessage());
  }

  private RoundRobinOperator create(int partitions, Backend backend) {
    OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
    return new RoundRobinOperatorFactory(SCHEMA, 1, partitions).create(context);
  }
}
