package io.ariadne.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TestRowRange {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private static Schema everyType() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.addAll(RandomBatches.nestedTypes());
    types.add(PrimitiveType.NULL);
    return RandomBatches.schemaOf(types);
  }

  @ParameterizedTest
  @EnumSource(NullPattern.class)
  void copiesAnyRange(NullPattern nulls) {
    RandomBatches random = RandomBatches.create();
    for (int rows : List.of(0, 1, 9, 64, 100, 1025)) {
      try (RecordBatch batch =
          random.batch(everyType(), rows, nulls, ColumnEncoding.MIXED, memory.allocator())) {
        List<List<Object>> expected = BatchAssertions.rows(batch);
        for (int attempt = 0; attempt < 12; attempt++) {
          int first = random.random().nextInt(rows + 1);
          int count = attempt == 0 ? 0 : random.random().nextInt(rows - first + 1);
          RowRange range = new RowRange(first, count);
          try (RecordBatch copy = range.copyOf(batch, memory.allocator(), attempt)) {
            assertEquals(attempt, copy.sequence());
            BatchAssertions.assertRowsInOrder(
                expected.subList(first, first + count), BatchAssertions.rows(copy));
          }
        }
      }
    }
  }

  @Test
  void copyOutlivesTheOriginalAndSharesHeaps() {
    RandomBatches random = RandomBatches.create();
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.STRING));
    RecordBatch batch = random.batch(schema, 500, NullPattern.SOME, memory.allocator());
    List<List<Object>> expected = BatchAssertions.rows(batch).subList(100, 300);
    RecordBatch copy = new RowRange(100, 200).copyOf(batch, memory.allocator(), 0);
    assertEquals(2, batch.column(0).heaps().get(0).holderCount());
    batch.close();
    BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(copy));
    copy.close();
  }

  @Test
  void rangeWithoutNullsHasNoValidity() {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.INT32, memory.allocator())) {
      builder.appendNull();
      builder.appendValue(1);
      builder.appendValue(2);
      try (ColumnVector column = builder.build();
          ColumnVector tail = new RowRange(1, 2).copyOf(column, memory.allocator());
          ColumnVector head = new RowRange(0, 2).copyOf(column, memory.allocator())) {
        assertNull(tail.validity());
        assertEquals(0, tail.countNulls());
        assertEquals(1, head.countNulls());
        assertTrue(head.isNull(0));
      }
    }
  }

  @Test
  void refusesMissingRows() {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.INT32, memory.allocator())) {
      builder.appendValue(1);
      try (ColumnVector column = builder.build()) {
        RowRange beyond = new RowRange(1, 1);
        assertThrows(
            IndexOutOfBoundsException.class, () -> beyond.copyOf(column, memory.allocator()));
      }
    }
    assertThrows(IllegalArgumentException.class, () -> new RowRange(-1, 1));
    assertThrows(IllegalArgumentException.class, () -> new RowRange(Integer.MAX_VALUE, 1));
  }

  @Test
  void failedCopyLeavesNothingOpen() {
    RandomBatches random = RandomBatches.create();
    try (RecordBatch batch = random.batch(everyType(), 200, NullPattern.SOME, memory.allocator())) {
      int open = memory.allocator().openBufferCount();
      RowRange range = new RowRange(3, 100);
      for (int allowed = 0; allowed < 40; allowed++) {
        memory.allocator().failAfter(allowed);
        assertThrows(EngineException.class, () -> range.copyOf(batch, memory.allocator(), 0));
        assertEquals(open, memory.allocator().openBufferCount());
      }
    }
  }

  @Test
  void corruptOffsetsLeaveNothingOpen() {
    ListType type = new ListType(PrimitiveType.INT32, true);
    try (ColumnBuilder builder = ColumnBuilder.create(type, memory.allocator())) {
      builder.appendNull();
      builder.appendValue(List.of(1, 2));
      builder.appendValue(List.of(3));
      try (ColumnVector column = builder.build()) {
        int open = memory.allocator().openBufferCount();
        RowRange range = new RowRange(1, 2);
        for (int offset : new int[] {-1, 4, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
          for (int row = 1; row < 4; row += 2) {
            int before = column.data().getInt(row * 4L);
            column.data().putInt(row * 4L, offset);
            assertThrows(RuntimeException.class, () -> range.copyOf(column, memory.allocator()));
            assertEquals(open, memory.allocator().openBufferCount());
            column.data().putInt(row * 4L, before);
          }
        }
        range.copyOf(column, memory.allocator()).close();
      }
    }
  }

  @Test
  void shortOffsetsLeaveNothingOpen() {
    ListType type = new ListType(PrimitiveType.INT32, true);
    ColumnVector child =
        ColumnVector.flat(
            PrimitiveType.INT32, PhysicalType.I32, 0, memory.allocator().allocate(0), null);
    MemoryBuffer offsets = memory.allocator().allocateZeroed(40);
    try (ColumnVector column =
        new ColumnVector(
            type, PhysicalType.OFFSETS, 40, offsets, null, 0, List.of(), List.of(child))) {
      RowRange range = new RowRange(5, 30);
      assertThrows(IndexOutOfBoundsException.class, () -> range.copyOf(column, memory.allocator()));
      assertEquals(2, memory.allocator().openBufferCount());
    }
  }

  @Test
  void failedRetainLeavesNothingOpen() {
    SharedBuffer live = new SharedBuffer(memory.allocator().allocate(64));
    SharedBuffer freed = new SharedBuffer(memory.allocator().allocate(64));
    MemoryBuffer views = memory.allocator().allocateZeroed(160);
    ColumnVector column =
        new ColumnVector(
            PrimitiveType.STRING,
            PhysicalType.VIEW16,
            10,
            views,
            null,
            0,
            List.of(live, freed),
            List.of());
    freed.release();
    RowRange range = new RowRange(0, 10);
    assertThrows(IllegalStateException.class, () -> range.copyOf(column, memory.allocator()));
    assertEquals(1, live.holderCount());
    assertEquals(2, memory.allocator().openBufferCount());
    assertThrows(IllegalStateException.class, column::close);
  }
}
