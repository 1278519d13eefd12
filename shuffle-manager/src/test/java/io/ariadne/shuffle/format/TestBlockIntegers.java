package io.ariadne.shuffle.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Integers take the bytes their distances need, and come back as they were. */
class TestBlockIntegers {
  /** More than two of the pieces that are looked at together. */
  private static final int ROWS = 2500;

  private static final List<DataType> TYPES =
      List.of(PrimitiveType.INT16, PrimitiveType.INT32, PrimitiveType.INT64, PrimitiveType.DATE32);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final Random random = RandomBatches.create().random();

  /** Values of both bounds, and random ones between. */
  private List<Object> values(DataType type, long least, long greatest, double nulls) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      long distance = greatest - least;
      long value =
          distance == -1
              ? random.nextLong()
              : least + Long.remainderUnsigned(random.nextLong(), distance + 1);
      values.add(random.nextDouble() < nulls ? null : object(type, value));
    }
    values.set(0, object(type, greatest));
    values.set(ROWS - 1, object(type, least));
    return values;
  }

  private static Object object(DataType type, long value) {
    if (type == PrimitiveType.INT64) {
      return value;
    }
    return type == PrimitiveType.INT16 ? (Object) (short) value : (Object) (int) value;
  }

  private ColumnVector column(DataType type, List<Object> values) {
    try (ColumnBuilder builder = ColumnBuilder.create(type, memory.allocator())) {
      for (Object value : values) {
        if (value == null) {
          builder.appendNull();
        } else {
          builder.appendValue(value);
        }
      }
      return builder.build();
    }
  }

  /** Nulls have values of any bits, which must not make the others longer. */
  private static ColumnVector spoilNulls(ColumnVector column) {
    int width = column.physicalType().widthInBytes();
    for (int row = 0; row < column.rowCount(); row++) {
      if (column.isNull(row)) {
        Memory.fill(column.data().address() + (long) row * width, width, (byte) 0x7F);
      }
    }
    return column;
  }

  private EncodedBlock block(DataType type, ColumnVector column) {
    RecordBatch batch =
        new RecordBatch(RandomBatches.schemaOf(List.of(type)), ROWS, List.of(column), 0);
    try (BlockBuffer buffer = new BlockBuffer(1, 1 << 20, memory.allocator())) {
      buffer.add(batch, new int[] {0, ROWS});
      return buffer.next();
    }
  }

  private void assertSame(DataType type, List<Object> expected, List<EncodedBlock> blocks) {
    Schema schema = RandomBatches.schemaOf(List.of(type));
    try (BlockConcatenator concatenator = new BlockConcatenator(schema, memory.allocator())) {
      blocks.forEach(concatenator::add);
      try (RecordBatch batch = concatenator.concat(0)) {
        BatchAssertions.assertRowsInOrder(
            expected.stream().map(value -> Arrays.asList(value)).toList(),
            BatchAssertions.rows(batch));
      }
    }
  }

  private record Range(long least, long greatest, int unitBytes) {}

  private static List<Range> ranges(DataType type) {
    if (type == PrimitiveType.INT16) {
      return List.of(
          new Range(-300, -300 + 255, 1),
          new Range(Short.MAX_VALUE, Short.MAX_VALUE, 1),
          new Range(-300, -300 + 256, 2),
          new Range(Short.MIN_VALUE, Short.MAX_VALUE, 2));
    }
    if (type != PrimitiveType.INT64) {
      return List.of(
          new Range(Integer.MIN_VALUE, Integer.MIN_VALUE + 255, 1),
          new Range(-1, 255, 2),
          new Range(Integer.MAX_VALUE - 65535, Integer.MAX_VALUE, 2),
          new Range(-1, 65535, 4),
          new Range(Integer.MIN_VALUE, Integer.MAX_VALUE, 4));
    }
    return List.of(
        new Range(Long.MIN_VALUE, Long.MIN_VALUE + 255, 1),
        new Range(Long.MAX_VALUE, Long.MAX_VALUE, 1),
        new Range(-7, 249, 2),
        new Range(0, 65536, 4),
        new Range(Long.MAX_VALUE - 0xFFFF_FFFFL, Long.MAX_VALUE, 4),
        new Range(-1, 0xFFFF_FFFFL, 8),
        new Range(Long.MIN_VALUE, 0, 8),
        new Range(Long.MIN_VALUE, Long.MAX_VALUE, 8));
  }

  @Test
  void distancesTakeAsFewBitsAsPossible() {
    for (DataType type : TYPES) {
      List<Object> expected = new ArrayList<>();
      List<EncodedBlock> blocks = new ArrayList<>();
      for (Range range : ranges(type)) {
        for (double nulls : new double[] {0, 0.3}) {
          List<Object> values = values(type, range.least, range.greatest, nulls);
          EncodedBlock block = block(type, spoilNulls(column(type, values)));
          assertEquals(range.unitBytes, block.columns().get(0).unitBytes(), type + " " + range);
          assertEquals(
              (long) ROWS * range.unitBytes, block.columns().get(0).valueBytes(), type.toString());
          expected.addAll(values);
          blocks.add(block);
        }
      }
      assertSame(type, expected, blocks);
    }
  }

  @Test
  void encodesOnlyNulls() {
    for (DataType type : TYPES) {
      List<Object> nulls = new ArrayList<>(Collections.nCopies(ROWS, null));
      EncodedBlock block = block(type, spoilNulls(column(type, nulls)));
      assertEquals(1, block.columns().get(0).unitBytes());
      assertEquals(0, block.columns().get(0).base());
      assertSame(type, nulls, List.of(block));
    }
  }

  /** Values of dictionary columns are looked up; entries that no row has do not count. */
  @Test
  void encodesValuesOfDictionaries() {
    List<Object> entries = List.of(Long.MIN_VALUE, 5L, 260L, Long.MAX_VALUE);
    List<Object> expected = new ArrayList<>();
    MemoryBuffer codes = memory.allocator().allocate((long) ROWS * Integer.BYTES);
    for (int row = 0; row < ROWS; row++) {
      int code = 1 + random.nextInt(2);
      Memory.putInt(codes.address() + (long) row * Integer.BYTES, code);
      expected.add(entries.get(code));
    }
    Dictionary dictionary = new Dictionary(column(PrimitiveType.INT64, entries));
    ColumnVector column = ColumnVector.ofDictionary(dictionary, ROWS, codes, null, 0);
    EncodedBlock block = block(PrimitiveType.INT64, column);
    assertEquals(PhysicalType.I64, block.columns().get(0).layout());
    assertEquals(1, block.columns().get(0).unitBytes());
    assertEquals(5, block.columns().get(0).base());
    assertSame(PrimitiveType.INT64, expected, List.of(block));
  }

  @Test
  void refusesInvalidWidths() {
    for (int unitBytes : new int[] {0, 3, 5, 8, 16}) {
      BlockColumn column =
          new BlockColumn(PhysicalType.I32, false, unitBytes, 10, 0, 0, 0, List.of());
      try (MemoryBuffer layout = memory.allocator().allocate(column.entryBytes())) {
        column.write(layout.address());
        EngineException e =
            assertThrows(
                EngineException.class,
                () -> new BlockColumn.Reader(layout.address(), layout.lengthInBytes()).next());
        assertEquals(ErrorCode.CORRUPT_DATA, e.code());
      }
    }
  }
}
