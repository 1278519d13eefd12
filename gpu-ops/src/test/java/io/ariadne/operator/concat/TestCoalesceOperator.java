package io.ariadne.operator.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.BatchSize;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.operator.AbstractTestOperator;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Checks which batches are concatenated and when they are emitted, and the contract of operators.
 */
class TestCoalesceOperator extends AbstractTestOperator {
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(
          List.of(
              PrimitiveType.INT32,
              PrimitiveType.STRING,
              PrimitiveType.BOOLEAN,
              new ListType(PrimitiveType.STRING, true)));

  private static final Schema FLAT = RandomBatches.schemaOf(List.of(PrimitiveType.INT64));

  private final RandomBatches batches = RandomBatches.create();
  private final TestingAllocator inputs = new TestingAllocator();
  private final TestingAllocator copies = new TestingAllocator();
  private final Backend host = HostBackend.open();

  @AfterEach
  void checkNothingOpen() {
    inputs.assertNothingOpen();
    copies.assertNothingOpen();
    host.close();
  }

  @Override
  protected Schema inputSchema() {
    return SCHEMA;
  }

  @Override
  protected OperatorFactory factory() {
    return new CoalesceOperatorFactory(SCHEMA, false, false);
  }

  /** Both sides of the size from which on a batch is large. */
  @Override
  protected int maxRows() {
    return 2 * BatchSize.HOST.smallRows();
  }

  private Operator operator(boolean keepsPlaces) {
    return new CoalesceOperatorFactory(SCHEMA, keepsPlaces, false)
        .create(new OperatorContext(copies, host, () -> false));
  }

  private RecordBatch batch(int rows, long sequence) {
    RecordBatch drawn = batches.batch(SCHEMA, rows, NullPattern.SOME, inputs);
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < drawn.columnCount(); i++) {
      columns.add(drawn.takeColumn(i));
    }
    return new RecordBatch(SCHEMA, rows, columns, sequence);
  }

  private static void checkNext(Operator operator, int rows, long sequence) {
    try (RecordBatch output = operator.getOutput()) {
      assertEquals(rows, output.rowCount());
      assertEquals(sequence, output.sequence());
    }
  }

  @Test
  void concatenatesSmallBatches() {
    List<RecordBatch> given = new ArrayList<>();
    int rows = BatchSize.HOST.smallRows() - 1;
    for (int sum = 0; sum < BatchSize.HOST.fullRows(); sum += rows) {
      given.add(batch(rows, given.size()));
    }
    List<List<Object>> expected = BatchAssertions.allRows(given);
    try (Operator operator = operator(false)) {
      for (RecordBatch batch : given) {
        assertTrue(operator.needsInput());
        assertNull(operator.getOutput());
        operator.addInput(batch);
      }
      assertFalse(operator.needsInput());
      try (RecordBatch output = operator.getOutput()) {
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(output));
      }
      assertTrue(operator.needsInput());
      assertFalse(operator.hasBufferedRows());
    }
  }

  @Test
  void largeBatchPassesUnchangedAfterEarlierBatches() {
    try (Operator operator = operator(false);
        RecordBatch large = batch(BatchSize.HOST.smallRows(), 0)) {
      operator.addInput(batch(10, 0));
      operator.addInput(batch(20, 0));
      operator.addInput(large);
      assertFalse(operator.needsInput());
      checkNext(operator, 30, 0);
      assertSame(large, operator.getOutput());
      assertTrue(operator.needsInput());
    }
  }

  @Test
  void flushEmitsBufferedRows() {
    try (Operator operator = operator(false)) {
      operator.flush();
      assertTrue(operator.needsInput());
      operator.addInput(batch(10, 0));
      assertNull(operator.getOutput());
      operator.addInput(batch(5, 1));
      assertTrue(operator.hasBufferedRows());
      operator.flush();
      assertFalse(operator.hasBufferedRows());
      assertFalse(operator.needsInput());
      checkNext(operator, 15, 0);
      assertFalse(operator.hasBufferedRows());
      assertNull(operator.getOutput());
    }
  }

  @Test
  void keepsSequenceNumbersSeparate() {
    try (Operator operator = operator(true)) {
      operator.addInput(batch(10, 3));
      operator.addInput(batch(5, 3));
      operator.addInput(batch(7, 4));
      checkNext(operator, 15, 3);
      assertNull(operator.getOutput());
      operator.addInput(batch(2, 4));
      operator.finish();
      assertFalse(operator.isFinished());
      checkNext(operator, 9, 4);
      assertTrue(operator.isFinished());
    }
  }

  /** Batches of a device are larger; only few rows come back from it to be concatenated. */
  @Test
  void concatenatesForADevice() {
    int large = BatchSize.HOST.smallRows();
    try (SimulatedBackend device = SimulatedBackend.open(SimulatedDevice.of(64 << 20));
        MemoryPool memory =
            MemoryPools.over("device", 64 << 20, device.memory(MemoryTier.DEVICE).orElseThrow())) {
      OperatorContext context =
          new OperatorContext(copies, memory, device, () -> false, ErrorReplay.PLAIN);
      try (Operator operator = new CoalesceOperatorFactory(FLAT, false, false).create(context)) {
        for (int i = 0; i < 4; i++) {
          operator.addInput(flat(large, i));
        }
        operator.addInput(onDevice(context, flat(large - 1, 4)));
        assertTrue(operator.needsInput());
        RecordBatch resident = onDevice(context, flat(large, 5));
        operator.addInput(resident);
        checkNext(operator, 5 * large - 1, 0);
        try (RecordBatch output = operator.getOutput()) {
          assertSame(resident, output);
        }
        for (int i = 0; i < 4; i++) {
          operator.addInput(flat(large, i));
        }
      }
      try (Operator forHost = new CoalesceOperatorFactory(FLAT, false, true).create(context)) {
        forHost.addInput(flat(large, 0));
        checkNext(forHost, large, 0);
      }
    }
  }

  private RecordBatch flat(int rows, long sequence) {
    ColumnVector column = batches.batch(FLAT, rows, NullPattern.SOME, inputs).takeColumn(0);
    return new RecordBatch(FLAT, rows, List.of(column), sequence);
  }

  private static RecordBatch onDevice(OperatorContext context, RecordBatch batch) {
    return batch.withReplaced(i -> context.transfer().copyToKernels(batch.column(i)));
  }

  @Test
  void emitsBatchesOneByOneWithoutMemory() {
    try (Operator operator = operator(false)) {
      RecordBatch first = batch(10, 0);
      RecordBatch second = batch(20, 0);
      operator.addInput(first);
      operator.addInput(second);
      operator.addInput(batch(BatchSize.HOST.smallRows(), 7));
      copies.failAfter(0);
      try (RecordBatch output = operator.getOutput()) {
        assertSame(first, output);
      }
      try (RecordBatch output = operator.getOutput()) {
        assertSame(second, output);
      }
      checkNext(operator, BatchSize.HOST.smallRows(), 7);
    }
  }
}
