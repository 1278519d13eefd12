package io.ariadne.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.RefusingAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Turns concatenated columns back into batches, also where memory is refused. */
class TestBuildColumns {
  private static final Schema ROWS =
      Schema.of(
          new Field("key", PrimitiveType.INT64, false),
          new Field("text", PrimitiveType.STRING, true),
          new Field("value", PrimitiveType.INT64, true));
  private static final int BATCHES = 6;
  private static final int BATCH_ROWS = 50;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private Backend backend;
  private RefusingAllocator refusing;
  private OperatorContext context;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
    refusing = new RefusingAllocator(memory.allocator());
    context = new OperatorContext(refusing, backend, () -> false);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  /** A batch that leaves memory must free its characters, not wait for the other batches. */
  @Test
  void compactsTheStringsOfRestoredBatches() {
    for (int concatenated = 2; concatenated <= ROWS.columnCount(); concatenated++) {
      List<List<Object>> expected = new ArrayList<>();
      List<RecordBatch> restored = new ArrayList<>();
      try (BuildColumns columns = columns(expected, concatenated)) {
        columns.restore(restored::add);
      }
      for (RecordBatch batch : restored) {
        long characters = (long) BATCH_ROWS * text(0).length;
        assertTrue(batch.sizeInBytes() < 2 * characters + BATCH_ROWS * 40L, "heaps are shared");
      }
      assertRestored(expected, restored);
    }
  }

  /** Each attempt is refused a later allocation; the next one continues. */
  @Test
  void restoresEachRowOnceWhateverIsRefused() {
    for (int concatenated = 0; concatenated <= ROWS.columnCount(); concatenated++) {
      for (long inARow : new long[] {1, 2, Long.MAX_VALUE}) {
        List<List<Object>> expected = new ArrayList<>();
        List<RecordBatch> restored = new ArrayList<>();
        try (BuildColumns columns = columns(expected, concatenated)) {
          int failures = restore(columns, restored, inARow);
          assertEquals(concatenated > 0, failures > 0);
        }
        assertRestored(expected, restored);
      }
    }
  }

  /** Batches whose strings there is no memory to compact share their heaps, as before. */
  @Test
  void restoresBatchesWithSharedHeapsWhenCompactionIsRefused() {
    List<List<Object>> expected = new ArrayList<>();
    List<RecordBatch> restored = new ArrayList<>();
    try (BuildColumns columns = columns(expected, ROWS.columnCount())) {
      // The copies of the first two columns are granted: a batch has no nulls.
      refusing.refuseAfter(2, 1);
      columns.restore(restored::add);
      assertEquals(0, refusing.grantAll());
    }
    assertTrue(restored.get(0).sizeInBytes() > 2 * restored.get(1).sizeInBytes());
    assertRestored(expected, restored);
  }

  @Test
  void freesBatchesThatWereNotRestored() {
    List<RecordBatch> restored = new ArrayList<>();
    try (BuildColumns columns = columns(new ArrayList<>(), ROWS.columnCount())) {
      refusing.refuseAfter(10, Long.MAX_VALUE);
      try {
        columns.restore(restored::add);
      } catch (EngineException e) {
        assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      }
      refusing.grantAll();
    }
    assertTrue(!restored.isEmpty() && restored.size() < BATCHES);
    restored.forEach(RecordBatch::close);
  }

  private int restore(BuildColumns columns, List<RecordBatch> target, long inARow) {
    int failures = 0;
    while (true) {
      refusing.refuseAfter(failures, inARow);
      try {
        columns.restore(target::add);
        return failures;
      } catch (EngineException e) {
        assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
        failures++;
      } finally {
        refusing.grantAll();
      }
    }
  }

  private static void assertRestored(List<List<Object>> expected, List<RecordBatch> restored) {
    assertEquals(BATCHES, restored.size());
    BatchAssertions.assertRowsInOrder(expected, BatchAssertions.allRows(restored));
    restored.forEach(RecordBatch::close);
  }

  /** Returns columns of which some are concatenated, and their rows in order. */
  private BuildColumns columns(List<List<Object>> rows, int concatenated) {
    List<RecordBatch> batches = new ArrayList<>();
    for (int i = 0; i < BATCHES; i++) {
      RecordBatch batch = batch(i);
      rows.addAll(BatchAssertions.rows(batch));
      batches.add(batch);
    }
    BuildColumns columns = new BuildColumns(ROWS, batches, context);
    for (int c = 0; c < concatenated; c++) {
      columns.concatenate(c);
    }
    return columns;
  }

  private RecordBatch batch(long number) {
    try (BatchBuilder builder = new BatchBuilder(ROWS, memory.allocator())) {
      for (int row = 0; row < BATCH_ROWS; row++) {
        long key = number * BATCH_ROWS + row;
        builder.appendRow(key, text(key), 2 * key);
      }
      return builder.build(number);
    }
  }

  private static byte[] text(long key) {
    return String.format("a text of some length for row %08d", key)
        .getBytes(StandardCharsets.UTF_8);
  }
}
