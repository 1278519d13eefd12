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

/** Kept rows become batches in order; large batches are not copied; retained rows are released. */
class TestLocalRowsInput {
  private static final int MEMORY = 64 << 20;
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.STRING));

  /** So many rows are passed on without a copy, and are more bytes than may be retained. */
  private static final int LARGE = 200_000;

  private final RandomBatches batches = RandomBatches.create();
  private ExecutorRuntime runtime;
  private int retained;

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
    assertEquals(0, retained, "rows that are not released");
    assertEquals(0, runtime.pool().allocatedBytes());
    runtime.close();
  }

  private RecordBatch batch(int rows) {
    return batches.batch(SCHEMA, rows, NullPattern.SOME, runtime.pool());
  }

  /** Retains rows of a batch, which is closed when they are released. */
  private RetainedRows retain(RecordBatch batch, int first, int count) {
    retained++;
    return new RetainedRows(
        batch,
        first,
        count,
        batch.sizeInBytes() * count / batch.rowCount(),
        () -> {
          retained--;
          batch.close();
        });
  }

  @Test
  void passesLargeBatchesOnWithoutACopy() {
    try (LocalRowsInput input = new LocalRowsInput(SCHEMA, runtime)) {
      RecordBatch large = batch(LARGE);
      long data = large.column(0).data().address();
      RecordBatch passed = input.add(retain(large, 0, LARGE), 5);
      assertNotNull(passed);
      assertTrue(input.isEmpty());
      assertEquals(data, passed.column(0).data().address());
      assertEquals(5, passed.sequence());
      assertEquals(1, retained, "retained while the batch is open");
      passed.close();
    }
  }

  /** Some rows of a large batch are copied. */
  @Test
  void copiesPartsOfLargeBatches() {
    try (LocalRowsInput input = new LocalRowsInput(SCHEMA, runtime)) {
      RecordBatch large = batch(LARGE);
      long data = large.column(0).data().address();
      List<List<Object>> expected = BatchAssertions.rows(large).subList(7, 10_000);
      assertNull(input.add(retain(large, 7, 10_000 - 7), 0));
      assertEquals(0, retained, "more than may be retained");
      try (RecordBatch copied = input.take(0)) {
        assertNotEquals(data, copied.column(0).data().address());
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(copied));
      }
    }
  }

  @Test
  void keepsTheOrderOfRows() {
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
        sequence += drain(input.add(retain(batch, first, count), sequence), actual);
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

  /**
   * A large batch is next, but memory becomes scarce: it is to be copied, and memory is refused.
   */
  @Test
  void releasesRowsWhenMemoryIsRefused() {
    RecordBatch small = batch(10);
    RecordBatch large = batch(LARGE);
    RecordBatch next = batch(10);
    try (LocalRowsInput input = new LocalRowsInput(SCHEMA, runtime)) {
      assertNull(input.add(retain(small, 0, 10), 0));
      input.add(retain(large, 0, LARGE), 0).close();
      assertEquals(1, retained, "the large batch is next");
      long left = runtime.pool().limitInBytes() - runtime.pool().allocatedBytes();
      try (MemoryBuffer rest = runtime.pool().allocate(left - (1 << 20))) {
        assertTrue(rest.lengthInBytes() > 0 && MapOutputs.of(runtime).isScarce());
        RetainedRows added = retain(next, 0, 10);
        EngineException e = assertThrows(EngineException.class, () -> input.add(added, 1));
        assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      }
      assertEquals(0, retained);
    }
  }
}
