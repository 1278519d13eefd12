package io.ariadne.operator.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.BatchSize;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.operator.LimitedSpillSpace;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Concatenated batches have equal rows, copy no character data and leave nothing open. */
class TestBatchConcatenator {
  private static final Schema FLAT = RandomBatches.schemaOf(RandomBatches.flatTypes());
  private static final Backend BACKEND = HostBackend.open();
  private static final NullPattern[] NULLS = NullPattern.values();

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final RandomBatches batches = RandomBatches.create();

  private static BatchConcatenator concatenator(TestingAllocator allocator) {
    return new BatchConcatenator(
        new OperatorContext(allocator, BACKEND, () -> false), allocator, BatchSize.HOST);
  }

  private List<RecordBatch> parts(ColumnEncoding encoding, TestingAllocator allocator) {
    List<RecordBatch> parts = new ArrayList<>();
    for (int i = 1 + batches.random().nextInt(9); i >= 0; i--) {
      int rows = batches.random().nextInt(300);
      NullPattern nulls = NULLS[batches.random().nextInt(NULLS.length)];
      parts.add(batches.batch(FLAT, rows, nulls, encoding, allocator));
    }
    return parts;
  }

  /** 64 threads have 128 KiB each, one has 8 MiB. */
  @Test
  void collectsTheShareOfOneThread() {
    LimitedSpillSpace space = new LimitedSpillSpace(256 << 20);
    OperatorContext context = new OperatorContext(memory.allocator(), BACKEND, () -> false);
    for (int threads : new int[] {1, 64}) {
      try (BatchConcatenator concatenator =
          new BatchConcatenator(
              space.context(context, threads), memory.allocator(), BatchSize.HOST)) {
        concatenator.add(
            batches.batch(FLAT, 3000, NullPattern.NONE, ColumnEncoding.PLAIN, memory.allocator()));
        assertEquals(threads == 64, concatenator.isFull());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ColumnEncoding.class)
  void concatenatesTheRowsOfAllBatches(ColumnEncoding encoding) {
    for (int round = 0; round < 20; round++) {
      List<RecordBatch> parts = parts(encoding, memory.allocator());
      List<List<Object>> expected = BatchAssertions.allRows(parts);
      try (BatchConcatenator concatenator = concatenator(memory.allocator())) {
        for (RecordBatch part : parts) {
          assertTrue(concatenator.takes(part));
          concatenator.add(part);
        }
        try (RecordBatch combined = concatenator.take()) {
          assertTrue(concatenator.isEmpty());
          BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(combined));
        }
      }
    }
  }

  @Test
  void freesEverythingWhenAllocationFails() {
    List<RecordBatch> parts = parts(ColumnEncoding.MIXED, memory.allocator());
    List<List<Object>> expected = BatchAssertions.allRows(parts);
    TestingAllocator columns = new TestingAllocator();
    try (BatchConcatenator concatenator = concatenator(columns)) {
      parts.forEach(concatenator::add);
      RecordBatch combined = null;
      for (int allocations = 0; combined == null; allocations++) {
        columns.failAfter(allocations);
        try {
          combined = concatenator.take();
        } catch (EngineException e) {
          assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
          columns.assertNothingOpen();
        }
      }
      try (RecordBatch whole = combined) {
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(whole));
      }
    }
    columns.assertNothingOpen();
  }

  @Test
  void closesCollectedBatches() {
    try (BatchConcatenator concatenator = concatenator(memory.allocator())) {
      parts(ColumnEncoding.MIXED, memory.allocator()).forEach(concatenator::add);
      assertFalse(concatenator.isEmpty());
    }
  }

  @Test
  void singleBatchPassesUnchanged() {
    try (BatchConcatenator concatenator = concatenator(memory.allocator());
        RecordBatch only = batches.batch(FLAT, 10, NullPattern.NONE, memory.allocator())) {
      concatenator.add(only);
      assertSame(only, concatenator.take());
      assertTrue(concatenator.isEmpty());
    }
  }

  @Test
  void columnsOfOneDictionaryStayCoded() {
    ColumnVector entries = column(PrimitiveType.STRING, PhysicalType.VIEW16, 5);
    Dictionary dictionary = new Dictionary(entries);
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.STRING));
    try (BatchConcatenator concatenator = concatenator(memory.allocator())) {
      List<List<Object>> expected = new ArrayList<>();
      for (int rows : new int[] {7, 100, 1}) {
        ColumnVector codes = batches.codes(dictionary, rows, NullPattern.SOME, memory.allocator());
        RecordBatch batch = new RecordBatch(schema, rows, List.of(codes), 0);
        expected.addAll(BatchAssertions.rows(batch));
        concatenator.add(batch);
      }
      try (RecordBatch combined = concatenator.take()) {
        assertSame(dictionary, combined.column(0).dictionary());
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(combined));
      }
    } finally {
      dictionary.release();
    }
  }

  private ColumnVector column(DataType type, PhysicalType layout, int rows) {
    return batches.column(type, layout, rows, NullPattern.NONE, memory.allocator());
  }

  private RecordBatch batch(DataType type, PhysicalType layout, int rows) {
    Schema schema = new Schema(List.of(new Field("c", type, true)));
    return new RecordBatch(schema, rows, List.of(column(type, layout, rows)), 0);
  }

  @Test
  void decimalsGetTheWidestLayout() {
    DataType decimal = new DecimalType(9, 2);
    PhysicalType[] layouts = {PhysicalType.I32, PhysicalType.I64, PhysicalType.I128};
    for (int round = 0; round < 50; round++) {
      List<List<Object>> expected = new ArrayList<>();
      try (BatchConcatenator concatenator = concatenator(memory.allocator())) {
        for (int i = 0; i < 4; i++) {
          PhysicalType layout = layouts[batches.random().nextInt(layouts.length)];
          RecordBatch batch = batch(decimal, layout, batches.random().nextInt(20));
          expected.addAll(BatchAssertions.rows(batch));
          assertTrue(concatenator.takes(batch));
          concatenator.add(batch);
        }
        try (RecordBatch combined = concatenator.take()) {
          BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(combined));
        }
      }
    }
  }

  @Test
  void rejectsOtherLayoutsAndLargeBatches() {
    try (BatchConcatenator concatenator = concatenator(memory.allocator());
        RecordBatch other = batch(PrimitiveType.INT32, PhysicalType.I32, 3);
        RecordBatch large =
            batch(PrimitiveType.INT8, PhysicalType.I8, BatchSize.HOST.smallRows())) {
      assertFalse(concatenator.takes(large));
      assertTrue(concatenator.takes(other));
      concatenator.add(batch(PrimitiveType.INT64, PhysicalType.I64, 3));
      assertFalse(concatenator.takes(other));
    }
  }

  @Test
  void concatenatesRowsWithoutColumns() {
    Schema none = new Schema(List.of());
    try (BatchConcatenator concatenator = concatenator(memory.allocator())) {
      concatenator.add(new RecordBatch(none, 5, List.of(), 0));
      concatenator.add(new RecordBatch(none, 70, List.of(), 0));
      try (RecordBatch combined = concatenator.take()) {
        assertEquals(75, combined.rowCount());
        assertEquals(0, combined.columnCount());
      }
    }
  }

  @Test
  void isFullByRowsAndByBytes() {
    try (BatchConcatenator concatenator = concatenator(memory.allocator())) {
      int rows = BatchSize.HOST.smallRows() - 1;
      for (int count = 0; count < BatchSize.HOST.fullRows(); count += rows) {
        assertFalse(concatenator.isFull());
        concatenator.add(batch(PrimitiveType.INT8, PhysicalType.I8, rows));
      }
      assertTrue(concatenator.isFull());
      concatenator.take().close();
      assertFalse(concatenator.isFull());
      concatenator.add(heavy(2 * BatchSize.HOST.fullBytes())); // so large that it also passes alone
      assertFalse(concatenator.isFull());
      concatenator.add(heavy(BatchSize.HOST.fullBytes()));
      assertTrue(concatenator.isFull());
      concatenator.take().close();
      assertFalse(concatenator.isFull());
    }
  }

  /** Returns one row that holds a heap. */
  private RecordBatch heavy(long bytes) {
    Schema schema = new Schema(List.of(new Field("c", PrimitiveType.STRING, true)));
    MemoryBuffer views = memory.allocator().allocateZeroed(16);
    ColumnVector column =
        new ColumnVector(
            PrimitiveType.STRING,
            PhysicalType.VIEW16,
            1,
            views,
            null,
            0,
            List.of(new SharedBuffer(memory.allocator().allocate(bytes))),
            List.of());
    return new RecordBatch(schema, 1, List.of(column), 0);
  }
}
