package io.ariadne.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestHeapCompaction {
  private static final Schema STRINGS =
      RandomBatches.schemaOf(
          List.of(PrimitiveType.STRING, PrimitiveType.INT32, PrimitiveType.BINARY));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @ParameterizedTest
  @EnumSource(NullPattern.class)
  void fewRowsReleaseTheHeaps(NullPattern nulls) {
    RandomBatches random = RandomBatches.create();
    for (int rows : List.of(0, 1, 40, 100)) {
      RecordBatch all = random.batch(STRINGS, 5_000, nulls, memory.allocator());
      RecordBatch few = new RowRange(70, rows).copyOf(all, memory.allocator(), 9);
      all.close();
      long before = memory.allocator().allocatedBytes();
      List<List<Object>> expected = BatchAssertions.rows(few);
      RecordBatch compacted = new HeapCompaction(memory.allocator()).compact(few);
      assertEquals(9, compacted.sequence());
      BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(compacted));
      if (nulls != NullPattern.ALL) {
        assertTrue(memory.allocator().allocatedBytes() < before / 2);
      }
      for (int i : List.of(0, 2)) {
        assertFalse(HeapCompaction.pays(compacted.column(i)));
      }
      compacted.close();
    }
  }

  @Test
  void keepsFullHeaps() {
    RandomBatches random = RandomBatches.create();
    HeapCompaction compaction = new HeapCompaction(memory.allocator());
    RecordBatch all = random.batch(STRINGS, 2_000, NullPattern.NONE, memory.allocator());
    RecordBatch few = new RowRange(0, 500).copyOf(all, memory.allocator(), 0);
    all.close();
    RecordBatch compacted = compaction.compact(few);
    ColumnVector strings = compacted.column(0);
    RecordBatch same = compaction.compact(compacted);
    assertSame(strings, same.column(0));
    same.close();
  }

  @Test
  void severalHeapsBecomeOne() {
    RandomBatches random = RandomBatches.create();
    RecordBatch batch = random.batch(STRINGS, 2_000, NullPattern.SOME, memory.allocator());
    ColumnVector strings = batch.column(0);
    assertTrue(strings.heaps().size() > 1);
    try (ColumnVector compacted = new HeapCompaction(memory.allocator()).compact(strings)) {
      assertEquals(1, compacted.heaps().size());
      assertEquals(HeapCompaction.liveBytes(strings), compacted.heaps().get(0).lengthInBytes());
      BatchAssertions.assertColumnEquals(strings, compacted);
    }
    batch.close();
  }

  @Test
  void heapsHaveALargestSize() {
    RandomBatches random = RandomBatches.create();
    RecordBatch batch = random.batch(STRINGS, 1_000, NullPattern.SOME, memory.allocator());
    ColumnVector strings = batch.column(0);
    try (ColumnVector compacted = new HeapCompaction(memory.allocator(), 100).compact(strings)) {
      assertTrue(compacted.heaps().size() > 10);
      compacted.heaps().forEach(heap -> assertTrue(heap.lengthInBytes() <= 100));
      BatchAssertions.assertColumnEquals(strings, compacted);
    }
    batch.close();
  }

  @Test
  void shortStringsNeedNoHeap() {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.STRING, memory.allocator())) {
      ViewBuilder views = (ViewBuilder) builder;
      views.append("twelve bytes");
      views.append("thirteen byte");
      try (ColumnVector column = builder.build();
          ColumnVector head = new RowRange(0, 1).copyOf(column, memory.allocator());
          ColumnVector compacted = new HeapCompaction(memory.allocator()).compact(head)) {
        assertTrue(HeapCompaction.pays(head));
        assertEquals(0, compacted.heaps().size());
        assertEquals("twelve bytes", new ColumnReader(compacted).getString(0));
        assertNotSame(head.data(), compacted.data());
      }
    }
  }

  @Test
  void otherLayoutsHaveNoHeaps() {
    RandomBatches random = RandomBatches.create();
    HeapCompaction compaction = new HeapCompaction(memory.allocator());
    try (ColumnVector numbers =
            random.column(
                PrimitiveType.INT64, PhysicalType.I64, 9, NullPattern.SOME, memory.allocator());
        ColumnVector coded =
            random.dictionaryColumn(
                PrimitiveType.STRING,
                PhysicalType.VIEW16,
                9,
                3,
                NullPattern.SOME,
                memory.allocator())) {
      assertFalse(HeapCompaction.pays(numbers));
      assertFalse(HeapCompaction.pays(coded));
      assertThrows(IllegalArgumentException.class, () -> compaction.compact(numbers));
      assertThrows(IllegalArgumentException.class, () -> compaction.compact(coded));
    }
  }

  @Test
  void failedCompactionLeavesNothingOpen() {
    RandomBatches random = RandomBatches.create();
    for (int allowed = 0; allowed < 6; allowed++) {
      RecordBatch all = random.batch(STRINGS, 5_000, NullPattern.SOME, memory.allocator());
      RecordBatch few = new RowRange(70, 100).copyOf(all, memory.allocator(), 0);
      all.close();
      memory.allocator().failAfter(allowed);
      HeapCompaction compaction = new HeapCompaction(memory.allocator());
      assertThrows(EngineException.class, () -> compaction.compact(few));
      memory.allocator().failAfter(Long.MAX_VALUE);
      assertEquals(0, memory.allocator().openBufferCount());
    }
  }
}
