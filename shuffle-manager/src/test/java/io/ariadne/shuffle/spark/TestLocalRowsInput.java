package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryConfig;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.executor.SelectedBackend;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.spill.WaitTimes;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kept rows come out in order; large batches without a copy; every hold ends once. */
class TestLocalRowsInput {
  private static final int MEMORY = 64 << 20;
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.STRING));

  /** More rows than are passed on as they are, and more bytes than are held for a copy. */
  private static final int LARGE = 200_000;

  private final RandomBatches batches = RandomBatches.create();
  private ExecutorRuntime runtime;
  private int held;

  @BeforeEach
  void start(@TempDir Path folder) {
    Duration moment = Duration.ofMillis(20);
    RuntimeConfig config =
        RuntimeConfig.of(2, MEMORY)
            .withMemory(MemoryConfig.of(MEMORY).withWaits(new WaitTimes(moment, moment, moment)))
            .withSpill(DiskSpillOptions.in(List.of(folder)));
    runtime = ExecutorRuntime.start(config, new SelectedBackend(HostBackend.open(), "test"));
  }

  @AfterEach
  void stop() {
    assertEquals(0, held, "holds that have not ended");
    assertEquals(0, runtime.pool().allocatedBytes());
    runtime.close();
  }

  private RecordBatch batch(int rows) {
    return batches.batch(SCHEMA, rows, NullPattern.SOME, runtime.pool());
  }

  /** Holds rows of a batch that is closed when the hold ends. */
  private RetainedRows hold(RecordBatch batch, int first, int count) {
    held++;
    return new RetainedRows(
        batch,
        first,
        count,
        batch.sizeInBytes() * count / batch.rowCount(),
        () -> {
          held--;
          batch.close();
        });
  }

  @Test
  void testLargeBatchesAreNotCopied() {
    try (LocalRowsInput input = new LocalRowsInput(SCHEMA, runtime)) {
      RecordBatch large = batch(LARGE);
      long data = large.column(0).data().address();
      RecordBatch passed = input.add(hold(large, 0, LARGE), 5);
      assertNotNull(passed);
      assertTrue(input.isEmpty());
      assertEquals(data, passed.column(0).data().address());
      assertEquals(5, passed.sequence());
      assertEquals(1, held, "held while the batch is out");
      passed.close();
    }
  }

  /** Rows of a large batch that are not all of it are copied. */
  @Test
  void testPartsOfLargeBatchesAreCopied() {
    try (LocalRowsInput input = new LocalRowsInput(SCHEMA, runtime)) {
      RecordBatch large = batch(LARGE);
      long data = large.column(0).data().address();
      List<List<Object>> expected = BatchAssertions.rows(large).subList(7, 10_000);
      assertNull(input.add(hold(large, 7, 10_000 - 7), 0));
      assertEquals(0, held, "more than may be held");
      try (RecordBatch copied = input.take(0)) {
        assertNotEquals(data, copied.column(0).data().address());
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(copied));
      }
    }
  }

  @Test
  void testRowsInOrder() {
    List<List<Object>> expected = new ArrayList<>();
    List<List<Object>> actual = new ArrayList<>();
    long sequence = 0;
    try (LocalRowsInput input = new LocalRowsInput(SCHEMA, runtime)) {
      for (int i = 0; i < 40; i++) {
        RecordBatch batch = batch(1 + batches.random().nextInt(i % 3 == 0 ? 20_000 : 500));
        boolean isWhole = batches.random().nextBoolean();
        int first = isWhole ? 0 : batches.random().nextInt(batch.rowCount());
        int count = batch.rowCount() - first;
        expected.addAll(BatchAssertions.rows(batch).subList(first, first + count));
        sequence += drain(input.add(hold(batch, first, count), sequence), actual);
      }
      while (!input.isEmpty()) {
        sequence += drain(input.take(sequence), actual);
      }
    }
    BatchAssertions.assertRowsInOrder(expected, actual);
    assertTrue(sequence > 1);
  }

  private static int drain(RecordBatch batch, List<List<Object>> rows) {
    if (batch == null) {
      return 0;
    }
    try (batch) {
      rows.addAll(BatchAssertions.rows(batch));
    }
    return 1;
  }

  /** A batch waits to be passed on; then memory is scarce, so it is copied, and finds no room. */
  @Test
  void testRefusedMemoryLeavesNoHolds() {
    RecordBatch small = batch(10);
    RecordBatch large = batch(LARGE);
    RecordBatch next = batch(10);
    try (LocalRowsInput input = new LocalRowsInput(SCHEMA, runtime)) {
      assertNull(input.add(hold(small, 0, 10), 0));
      input.add(hold(large, 0, LARGE), 0).close();
      assertEquals(1, held, "the large batch waits");
      long left = runtime.pool().limitInBytes() - runtime.pool().allocatedBytes();
      try (MemoryBuffer rest = runtime.pool().allocate(left - (1 << 20))) {
        assertTrue(rest.lengthInBytes() > 0 && MapOutputs.of(runtime).isScarce());
        RetainedRows added = hold(next, 0, 10);
        EngineException e = assertThrows(EngineException.class, () -> input.add(added, 1));
        assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      }
      assertEquals(0, held);
    }
  }
}
