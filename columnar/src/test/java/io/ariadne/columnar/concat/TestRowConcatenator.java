package io.ariadne.columnar.concat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Concatenated batches have the rows of their ranges, in order; the ranges are closed. */
class TestRowConcatenator {
  private static final Schema TEXT = RandomBatches.schemaOf(List.of(PrimitiveType.STRING));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final RandomBatches batches = RandomBatches.create();

  private static Schema all() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.addAll(RandomBatches.nestedTypes());
    types.add(PrimitiveType.NULL);
    return RandomBatches.schemaOf(types);
  }

  private RecordBatch random(Schema schema, int rows) {
    NullPattern nulls = NullPattern.values()[batches.random().nextInt(NullPattern.values().length)];
    ColumnEncoding encoding =
        ColumnEncoding.values()[batches.random().nextInt(ColumnEncoding.values().length)];
    return batches.batch(schema, rows, nulls, encoding, memory.allocator());
  }

  /** Some rows of a batch, which is closed with them. */
  private static RetainedRows rows(RecordBatch batch, int first, int count) {
    return new RetainedRows(batch, first, count, count, batch::close);
  }

  @Test
  void keepsRowsOfRandomRangesInOrder() {
    Schema schema = all();
    for (int run = 0; run < 100; run++) {
      List<List<Object>> expected = new ArrayList<>();
      try (RowConcatenator concatenator = new RowConcatenator(schema, memory.allocator())) {
        int ranges = 1 + batches.random().nextInt(5);
        for (int i = 0; i < ranges; i++) {
          RecordBatch batch = random(schema, batches.random().nextInt(200));
          int first = batches.random().nextInt(batch.rowCount() + 1);
          int count = batches.random().nextInt(batch.rowCount() - first + 1);
          assertTrue(concatenator.canAdd(batch));
          expected.addAll(BatchAssertions.rows(batch).subList(first, first + count));
          concatenator.add(rows(batch, first, count));
        }
        assertEquals(expected.size(), concatenator.rowCount());
        try (RecordBatch concatenated = concatenator.concat(run)) {
          assertTrue(concatenator.isEmpty());
          assertEquals(run, concatenated.sequence());
          BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(concatenated));
        }
      }
    }
  }

  @Test
  void countsRowsWithoutColumns() {
    Schema none = new Schema(List.of());
    try (RowConcatenator concatenator = new RowConcatenator(none, memory.allocator())) {
      concatenator.add(RetainedRows.of(new RecordBatch(none, 5, List.of(), 0)));
      concatenator.add(RetainedRows.of(new RecordBatch(none, 7, List.of(), 0)));
      try (RecordBatch concatenated = concatenator.concat(0)) {
        assertEquals(12, concatenated.rowCount());
      }
    }
  }

  @Test
  void refusesOtherLayouts() {
    Schema schema = RandomBatches.schemaOf(List.of(new DecimalType(9, 2)));
    try (RowConcatenator concatenator = new RowConcatenator(schema, memory.allocator());
        RecordBatch wide = decimals(schema, PhysicalType.I64)) {
      assertTrue(concatenator.canAdd(wide));
      concatenator.add(RetainedRows.of(decimals(schema, PhysicalType.I32)));
      assertFalse(concatenator.canAdd(wide));
    }
  }

  private RecordBatch decimals(Schema schema, PhysicalType layout) {
    return new RecordBatch(
        schema,
        5,
        List.of(
            batches.column(
                schema.field(0).type(), layout, 5, NullPattern.NONE, memory.allocator())),
        0);
  }

  private RecordBatch texts(int rows) {
    try (BatchBuilder builder = new BatchBuilder(TEXT, memory.allocator())) {
      for (int row = 0; row < rows; row++) {
        builder.appendRow(("a text longer than a view, number " + row).getBytes(UTF_8));
      }
      return builder.build(0);
    }
  }

  private static long heapBytes(RecordBatch batch) {
    return batch.column(0).heaps().stream().mapToLong(SharedBuffer::capacityInBytes).sum();
  }

  /** A few rows do not retain the characters of all other rows. */
  @Test
  void copiesCharactersWhenFewAreUsed() {
    for (int count : new int[] {0, 1, 300, 900, 1000}) {
      RecordBatch batch = texts(1000);
      long heapBytes = heapBytes(batch);
      List<List<Object>> expected = BatchAssertions.rows(batch).subList(0, count);
      try (RowConcatenator concatenator = new RowConcatenator(TEXT, memory.allocator())) {
        concatenator.add(rows(batch, 0, count));
        try (RecordBatch concatenated = concatenator.concat(0)) {
          BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(concatenated));
          long held = heapBytes(concatenated);
          assertTrue(count < 500 ? held <= heapBytes / 2 : held == heapBytes, count + ": " + held);
        }
      }
    }
  }

  private RecordBatch coded(int rows, int entries) {
    return new RecordBatch(
        TEXT,
        rows,
        List.of(
            batches.dictionaryColumn(
                PrimitiveType.STRING,
                PhysicalType.VIEW16,
                rows,
                entries,
                NullPattern.SOME,
                memory.allocator())),
        0);
  }

  private RecordBatch concatenated(List<RetainedRows> rows) {
    List<List<Object>> expected = new ArrayList<>();
    try (RowConcatenator concatenator = new RowConcatenator(TEXT, memory.allocator())) {
      for (RetainedRows some : rows) {
        expected.addAll(
            BatchAssertions.rows(some.batch()).subList(some.first(), some.first() + some.count()));
        concatenator.add(some);
      }
      RecordBatch concatenated = concatenator.concat(0);
      BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(concatenated));
      return concatenated;
    }
  }

  @Test
  void keepsCodesOfOneDictionary() {
    RecordBatch batch = coded(600, 40);
    long id = batch.column(0).dictionary().id();
    RecordBatch again =
        new RecordBatch(
            TEXT,
            100,
            List.of(
                batches.codes(
                    batch.column(0).dictionary(), 100, NullPattern.NONE, memory.allocator())),
            0);
    try (RecordBatch concatenated =
        concatenated(List.of(rows(batch, 100, 200), rows(again, 3, 90)))) {
      assertEquals(id, concatenated.column(0).dictionary().id());
    }
  }

  @Test
  void decodesDictionariesLargerThanTheResult() {
    try (RecordBatch concatenated = concatenated(List.of(rows(coded(600, 500), 100, 200)))) {
      assertNull(concatenated.column(0).dictionary());
    }
  }

  @Test
  void mergesSmallDictionaries() {
    RecordBatch first = coded(600, 40);
    RecordBatch second = coded(500, 20);
    try (RecordBatch concatenated =
        concatenated(List.of(RetainedRows.of(first), RetainedRows.of(second)))) {
      assertNotNull(concatenated.column(0).dictionary());
      assertTrue(concatenated.column(0).dictionary().entryCount() <= 60);
    }
  }

  @Test
  void makesViewsOfManyStrings() {
    for (List<RecordBatch> some :
        List.of(
            List.of(coded(600, 250), coded(600, 250)),
            List.of(coded(600, 257), coded(600, 9)),
            List.of(coded(10, 9), coded(10, 9)),
            List.of(coded(600, 9), texts(10)))) {
      try (RecordBatch concatenated = concatenated(some.stream().map(RetainedRows::of).toList())) {
        assertNull(concatenated.column(0).dictionary());
      }
    }
  }

  @Test
  void leavesNothingOpenWhenMemoryIsRefused() {
    Schema schema = all();
    int failures = 0;
    for (int allowed = 0; allowed < 60; allowed++) {
      try (RowConcatenator concatenator = new RowConcatenator(schema, memory.allocator())) {
        concatenator.add(RetainedRows.of(random(schema, 50)));
        concatenator.add(RetainedRows.of(random(schema, 30)));
        memory.allocator().failAfter(allowed);
        concatenator.concat(0).close();
      } catch (EngineException e) {
        failures++;
      } finally {
        memory.allocator().failAfter(Long.MAX_VALUE);
      }
    }
    assertTrue(failures > 20, failures + " failures");
  }

  @Test
  void lendsBatchesThatTheirOwnerKeeps() {
    Schema schema = all();
    RecordBatch batch = random(schema, 100);
    List<List<Object>> expected = BatchAssertions.rows(batch);
    int[] releases = {0};
    RetainedRows held = new RetainedRows(batch, 0, 100, 1, () -> releases[0]++);
    RecordBatch lent = held.lend(7);
    assertThrows(IllegalStateException.class, held::close);
    assertThrows(IllegalStateException.class, () -> held.lend(8));
    assertEquals(7, lent.sequence());
    BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(lent));
    for (int i = 0; i < lent.columnCount(); i++) {
      if (lent.column(i).data() != null) {
        assertNotSame(batch.column(i).data(), lent.column(i).data());
        assertEquals(batch.column(i).data().address(), lent.column(i).data().address());
      }
      assertSame(batch.column(i).dictionary(), lent.column(i).dictionary());
    }
    lent.takeColumn(0).close();
    assertEquals(0, releases[0]);
    lent.close();
    assertEquals(1, releases[0]);
    batch.close();
  }

  @Test
  void doesNotLendPartsOfABatch() {
    RecordBatch batch = texts(10);
    try (RetainedRows held = rows(batch, 0, 9)) {
      assertThrows(IllegalStateException.class, () -> held.lend(0));
    }
  }
}
