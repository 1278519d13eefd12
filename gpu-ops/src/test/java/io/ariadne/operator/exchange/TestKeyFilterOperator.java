package io.ariadne.operator.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows that a filter does not contain are dropped; hashes of the others are collected. */
class TestKeyFilterOperator {
  private static final Field COLLECTED = new Field("collected", PrimitiveType.INT32, false);
  private static final Field HASH = new Field("hash", PrimitiveType.INT32, false);
  private static final Schema NUMBERS =
      Schema.of(new Field("x", PrimitiveType.INT64, true), COLLECTED, HASH);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final RandomBatches batches = RandomBatches.create();
  private Backend backend;

  @BeforeEach
  void open() {
    backend = HostBackend.open();
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void dropsRowsOfEveryType() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.addAll(RandomBatches.nestedTypes());
    List<Field> fields = new ArrayList<>(RandomBatches.schemaOf(types).fields());
    fields.add(COLLECTED);
    fields.add(HASH);
    Schema schema = new Schema(fields);
    for (int rows : new int[] {1, 7, 64, 1000}) {
      RecordBatch input = batch(schema, rows);
      List<List<Object>> before = BatchAssertions.rows(input);
      KeyFilter filter = everyOther(before);
      List<List<Object>> expected = new ArrayList<>();
      List<Integer> collected = new ArrayList<>();
      for (List<Object> row : before) {
        if (filter.mayContain(hash(row))) {
          List<Object> kept = new ArrayList<>(row);
          collected.add(number(kept.remove(types.size())));
          expected.add(kept);
        }
      }
      TestingFilters filters = new TestingFilters(List.of(types.size()), filter);
      try (KeyFilterOperator operator = operator(schema, filters)) {
        assertRows(expected, operator, input);
      }
      assertEquals(withoutRepeats(collected), filters.collected(0));
      assertEquals(rows - expected.size(), filters.droppedRows());
    }
  }

  private static List<Integer> withoutRepeats(List<Integer> hashes) {
    List<Integer> different = new ArrayList<>();
    for (Integer hash : hashes) {
      if (different.isEmpty() || !different.get(different.size() - 1).equals(hash)) {
        different.add(hash);
      }
    }
    return different;
  }

  private static KeyFilter everyOther(List<List<Object>> rows) {
    List<int[]> hashes = new ArrayList<>();
    for (int i = 0; i < rows.size(); i += 2) {
      hashes.add(new int[] {hash(rows.get(i))});
    }
    return KeyFilter.of(hashes);
  }

  private static void assertRows(
      List<List<Object>> expected, KeyFilterOperator operator, RecordBatch input) {
    long sequence = input.sequence();
    operator.addInput(input);
    try (RecordBatch output = operator.getOutput()) {
      BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(output));
      assertEquals(sequence, output.sequence());
    }
  }

  /** The filter may come while the task runs, and its own column may be collected, too. */
  @Test
  void allRowsPassUntilThereIsAFilter() {
    TestingFilters filters = new TestingFilters(List.of(2), null);
    try (KeyFilterOperator operator = operator(NUMBERS, filters)) {
      RecordBatch first = batch(NUMBERS, 100);
      List<Integer> hashes =
          withoutRepeats(
              BatchAssertions.rows(first).stream().map(TestKeyFilterOperator::hash).toList());
      operator.addInput(first);
      try (RecordBatch output = operator.getOutput()) {
        assertEquals(100, output.rowCount());
        assertEquals(2, output.columnCount());
      }
      assertEquals(hashes, filters.collected(0));
      filters.set(KeyFilter.of(List.of()));
      operator.addInput(batch(NUMBERS, 100));
      assertNull(operator.getOutput());
      assertEquals(100, filters.droppedRows());
      assertEquals(hashes, filters.collected(0), "hashes of dropped rows");
    }
  }

  @Test
  void filterThatDropsLittleIsNotTestedForLong() {
    int rows = 30_000;
    try (RecordBatch sample = sample(rows)) {
      List<List<Object>> all = BatchAssertions.rows(sample);
      KeyFilter almostAll =
          KeyFilter.of(all.stream().skip(rows / 50).map(row -> new int[] {hash(row)}).toList());
      TestingFilters filters = new TestingFilters(List.of(), almostAll);
      try (KeyFilterOperator operator = operator(NUMBERS, filters)) {
        for (int i = 0; i < 10; i++) {
          operator.addInput(sample(rows));
          operator.getOutput().close();
        }
      }
      long perBatch = all.stream().filter(row -> !almostAll.mayContain(hash(row))).count();
      assertEquals(4 * perBatch, filters.droppedRows(), "tested in 100,000 rows");
    }
  }

  /** Returns the same rows each time. */
  private RecordBatch sample(int rows) {
    return new RandomBatches(7).batch(NUMBERS, rows, NullPattern.SOME, memory.allocator());
  }

  @Test
  void columnsOfHashesAreNumbers() {
    Schema wrong = Schema.of(HASH, new Field("x", PrimitiveType.INT64, true));
    TestingFilters filters = new TestingFilters(List.of(), null);
    assertThrows(
        IllegalArgumentException.class,
        () -> new KeyFilterOperatorFactory(wrong, 1, List.of(), filters));
    assertThrows(
        IllegalArgumentException.class,
        () -> new KeyFilterOperatorFactory(NUMBERS, 1, List.of(0), filters),
        "a column of the output");
  }

  @Test
  void neighboursWithTheSameHashAreCollectedOnce() {
    TestingFilters filters = new TestingFilters(List.of(1), null);
    try (BatchBuilder builder = new BatchBuilder(NUMBERS, memory.allocator());
        KeyFilterOperator operator = operator(NUMBERS, filters)) {
      for (int hash : new int[] {7, 7, 0, 0, 0, 7, -1}) {
        builder.appendRow(1L, hash, hash);
      }
      operator.addInput(builder.build(0));
      operator.getOutput().close();
    }
    assertEquals(List.of(7, 0, 7, -1), filters.collected(0));
  }

  private RecordBatch batch(Schema schema, int rows) {
    return batches.batch(schema, rows, NullPattern.SOME, memory.allocator());
  }

  private KeyFilterOperator operator(Schema schema, TestingFilters filters) {
    OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
    int width = schema.columnCount() - 2;
    return new KeyFilterOperatorFactory(schema, width, filters.hashColumns(), filters)
        .create(context);
  }

  private static int hash(List<Object> row) {
    return number(row.get(row.size() - 1));
  }

  private static int number(Object value) {
    return ((Number) value).intValue();
  }
}
