package io.ariadne.columnar.builder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.columnar.type.StructType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TestColumnBuilders {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  static Stream<DataType> allTypes() {
    return Stream.concat(RandomBatches.flatTypes().stream(), RandomBatches.nestedTypes().stream());
  }

  @ParameterizedTest
  @MethodSource("allTypes")
  void readsBackWhatWasAppended(DataType type) {
    RandomBatches random = RandomBatches.create();
    for (NullPattern nulls : NullPattern.values()) {
      for (int rows : RandomBatches.ROW_COUNTS.stream().filter(n -> n < 3000).toList()) {
        List<Object> expected = new ArrayList<>();
        try (ColumnBuilder builder = ColumnBuilder.create(type, memory.allocator())) {
          for (int row = 0; row < rows; row++) {
            Object value =
                nulls == NullPattern.ALL || (nulls != NullPattern.NONE && row % 3 == 1)
                    ? null
                    : random.value(type, nulls);
            expected.add(value);
            builder.appendValue(value);
          }
          try (ColumnVector column = builder.build()) {
            assertColumn(expected, column);
          }
        }
      }
    }
  }

  private static void assertColumn(List<Object> expected, ColumnVector column) {
    ColumnReader reader = new ColumnReader(column);
    assertEquals(expected.size(), column.rowCount());
    assertEquals(expected.stream().filter(Objects::isNull).count(), column.nullCount());
    for (int row = 0; row < expected.size(); row++) {
      Object wanted = normal(expected.get(row));
      assertEquals(wanted, normal(reader.getValue(row)), "row " + row);
    }
  }

  /** Makes byte arrays comparable and converts the bytes of strings to text. */
  private static Object normal(Object value) {
    if (value instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
    if (value instanceof String text) {
      return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
    if (value instanceof List<?> list) {
      List<Object> normal = new ArrayList<>();
      list.forEach(one -> normal.add(normal(one)));
      return normal;
    }
    return value;
  }

  @Test
  void hasNoValidityWithoutNulls() {
    try (IntBuilder builder =
            (IntBuilder) ColumnBuilder.create(PrimitiveType.INT32, memory.allocator());
        ColumnVector empty = builder.build()) {
      assertEquals(0, empty.rowCount());
      builder.append(Integer.MIN_VALUE);
      try (ColumnVector column = builder.build()) {
        assertNull(column.validity());
        assertFalse(column.mayHaveNulls());
        assertEquals(4, column.data().lengthInBytes());
        assertEquals(64, column.data().capacityInBytes());
      }
    }
  }

  @Test
  void builderStartsAnewAfterBuild() {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.STRING, memory.allocator())) {
      builder.appendNull();
      builder.appendValue("a string of more than twelve bytes".getBytes(StandardCharsets.UTF_8));
      try (ColumnVector first = builder.build()) {
        builder.appendValue("another one, also longer".getBytes(StandardCharsets.UTF_8));
        try (ColumnVector second = builder.build()) {
          assertEquals(1, first.nullCount());
          assertEquals(0, second.nullCount());
          assertEquals("another one, also longer", new ColumnReader(second).getString(0));
          assertEquals(1, second.heaps().size());
        }
      }
    }
  }

  @Test
  void inlineViewsAreZeroPadded() {
    try (ViewBuilder builder =
        (ViewBuilder) ColumnBuilder.create(PrimitiveType.STRING, memory.allocator())) {
      builder.append("abc");
      builder.append("twelve bytes");
      builder.append("thirteen byte");
      try (ColumnVector column = builder.build()) {
        byte[] views = new byte[48];
        column.data().getBytes(0, views, 0, 48);
        assertArrayEquals(
            new byte[] {3, 0, 0, 0, 'a', 'b', 'c', 0, 0, 0, 0, 0, 0, 0, 0, 0},
            Arrays.copyOf(views, 16));
        assertEquals(12, views[16]);
        assertEquals('s', views[31]);
        assertArrayEquals(
            new byte[] {13, 0, 0, 0, 't', 'h', 'i', 'r', 0, 0, 0, 0, 0, 0, 0, 0},
            Arrays.copyOfRange(views, 32, 48));
        assertEquals(1, column.heaps().size());
        assertEquals(13, column.heaps().get(0).lengthInBytes());
      }
    }
  }

  @Test
  void appendsViewsFromMemoryAndSpreadsThemOverHeaps() {
    byte[] big = new byte[3 << 20];
    Arrays.fill(big, (byte) 'x');
    long address = Memory.allocate(big.length);
    try (ViewBuilder builder =
        (ViewBuilder) ColumnBuilder.create(PrimitiveType.BINARY, memory.allocator())) {
      Memory.copy(big, 0, address, big.length);
      builder.append(address, 12);
      builder.append(address, 4000);
      builder.append(address, big.length);
      builder.append(address, 4000);
      try (ColumnVector column = builder.build()) {
        ColumnReader reader = new ColumnReader(column);
        assertEquals(3, column.heaps().size());
        assertEquals(12, reader.getByteLength(0));
        assertArrayEquals(big, reader.getBytes(2));
        assertArrayEquals(Arrays.copyOf(big, 4000), reader.getBytes(3));
        assertEquals('x', Memory.getByte(reader.getBytesAddress(3) + 3999));
      }
    } finally {
      Memory.free(address);
    }
  }

  @Test
  void decimalsFitEveryAllowedLayout() {
    DecimalType type = new DecimalType(9, 2);
    for (PhysicalType layout : List.of(PhysicalType.I32, PhysicalType.I64, PhysicalType.I128)) {
      try (ColumnBuilder builder = ColumnBuilder.create(type, layout, memory.allocator())) {
        builder.appendValue(BigInteger.valueOf(-999_999_999));
        try (ColumnVector column = builder.build()) {
          assertEquals(layout, column.physicalType());
          assertEquals("-9999999.99", new ColumnReader(column).getDecimal(0).toString());
        }
      }
    }
    DecimalType wide = new DecimalType(19, 0);
    assertThrows(
        IllegalArgumentException.class,
        () -> ColumnBuilder.create(wide, PhysicalType.I64, memory.allocator()));
    assertThrows(
        IllegalArgumentException.class,
        () -> ColumnBuilder.create(PrimitiveType.INT32, PhysicalType.I64, memory.allocator()));
  }

  @Test
  void int128HoldsItsBounds() {
    BigInteger max = BigInteger.TWO.pow(127).subtract(BigInteger.ONE);
    BigInteger min = BigInteger.TWO.pow(127).negate();
    BigInteger half = BigInteger.TWO.pow(63);
    try (Int128Builder builder =
        (Int128Builder) ColumnBuilder.create(new DecimalType(38, 0), memory.allocator())) {
      List<BigInteger> values = List.of(max, min, half, half.negate(), BigInteger.ONE.negate());
      values.forEach(builder::append);
      assertThrows(ArithmeticException.class, () -> builder.append(max.add(BigInteger.ONE)));
      try (ColumnVector column = builder.build()) {
        ColumnReader reader = new ColumnReader(column);
        for (int row = 0; row < values.size(); row++) {
          assertEquals(values.get(row), reader.getUnscaled(row));
        }
      }
    }
  }

  @Test
  void nullColumnHoldsOnlyNulls() {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.NULL, memory.allocator())) {
      builder.appendNull();
      assertThrows(IllegalArgumentException.class, () -> builder.appendValue(1));
      try (ColumnVector column = builder.build()) {
        assertTrue(column.isNull(0));
        assertNull(new ColumnReader(column).getValue(0));
      }
    }
  }

  @Test
  void refusesRowsOutsideTheColumn() {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.INT64, memory.allocator())) {
      builder.appendValue(7L);
      try (ColumnVector column = builder.build()) {
        ColumnReader reader = new ColumnReader(column);
        assertThrows(IndexOutOfBoundsException.class, () -> reader.getLong(1));
        assertThrows(IndexOutOfBoundsException.class, () -> reader.isNull(-1));
      }
    }
  }

  @Test
  void structRowsNeedEveryMember() {
    StructType type =
        new StructType(
            List.of(
                new Field("a", PrimitiveType.INT32, true),
                new Field("b", PrimitiveType.INT32, true)));
    try (StructBuilder builder = (StructBuilder) ColumnBuilder.create(type, memory.allocator())) {
      ((IntBuilder) builder.field(0)).append(1);
      assertThrows(IllegalStateException.class, builder::append);
      ((IntBuilder) builder.field(1)).append(2);
      builder.append();
      builder.appendNull();
      try (ColumnVector column = builder.build()) {
        assertEquals(List.of(1, 2), new ColumnReader(column).getValue(0));
        assertTrue(column.isNull(1));
        assertEquals(2, column.children().get(1).rowCount());
      }
    }
  }

  @Test
  void mapsAreListsOfEntries() {
    MapType type = new MapType(PrimitiveType.INT32, PrimitiveType.STRING, true);
    try (ColumnBuilder builder = ColumnBuilder.create(type, memory.allocator())) {
      builder.appendValue(List.of(Arrays.asList(1, null), List.of(2, new byte[] {'b'})));
      builder.appendNull();
      builder.appendValue(List.of());
      try (ColumnVector column = builder.build()) {
        ColumnReader reader = new ColumnReader(column);
        assertEquals(PhysicalType.OFFSETS, column.physicalType());
        assertEquals(16, column.data().lengthInBytes());
        assertEquals(List.of(Arrays.asList(1, null), List.of(2, "b")), reader.getValue(0));
        assertEquals(0, reader.getEnd(2) - reader.getStart(2));
      }
    }
  }

  @Test
  void failedAllocationsLeaveNothingOpen() {
    DataType type = new ListType(RandomBatches.nestedTypes().get(1), true);
    Schema schema = Schema.of(new Field("l", type, true), new Field("i", type, true));
    int failures = 0;
    boolean succeeded = false;
    while (!succeeded) {
      memory.allocator().failAfter(failures);
      try (BatchBuilder builder = new BatchBuilder(schema, memory.allocator())) {
        RandomBatches random = new RandomBatches(7);
        for (int row = 0; row < 200; row++) {
          builder.appendRow(
              random.value(type, NullPattern.SOME), random.value(type, NullPattern.SOME));
        }
        builder.build(0).close();
        succeeded = true;
      } catch (EngineException e) {
        assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
        failures++;
      }
      assertEquals(0, memory.allocator().openBufferCount());
    }
    assertTrue(failures > 30, failures + " failures");
  }

  @Test
  void failedAppendsLeaveTheRowsUnchanged() {
    List<DataType> types = new ArrayList<>(RandomBatches.nestedTypes());
    types.add(PrimitiveType.BOOLEAN);
    types.add(PrimitiveType.STRING);
    int failures = 0;
    for (DataType type : types) {
      RandomBatches random = new RandomBatches(11);
      List<Object> values = new ArrayList<>();
      for (int row = 0; row < 300; row++) {
        values.add(row % 5 == 4 ? null : random.value(type, NullPattern.SOME));
      }
      try (ColumnBuilder expected = ColumnBuilder.create(type, memory.allocator());
          ColumnBuilder builder = ColumnBuilder.create(type, memory.allocator())) {
        values.forEach(expected::appendValue);
        for (Object value : values) {
          failures += appendStubbornly(builder, value);
        }
        try (ColumnVector wanted = expected.build();
            ColumnVector got = builder.build()) {
          BatchAssertions.assertColumnEquals(wanted, got);
        }
      }
    }
    assertTrue(failures > 100, failures + " failures");
  }

  /** Appends with one more allocation allowed each time; returns how often it failed. */
  private int appendStubbornly(ColumnBuilder builder, Object value) {
    int rows = builder.rowCount();
    for (int allowed = 0; ; allowed++) {
      memory.allocator().failAfter(allowed);
      try {
        builder.appendValue(value);
        return allowed;
      } catch (EngineException e) {
        assertEquals(rows, builder.rowCount());
      } finally {
        memory.allocator().failAfter(Long.MAX_VALUE);
      }
    }
  }

  @Test
  void failedBuildOfNestedColumnsLeavesNothingOpen() {
    DataType ints = new ListType(PrimitiveType.INT32, true);
    StructType struct =
        new StructType(
            List.of(new Field("i", PrimitiveType.INT32, true), new Field("l", ints, true)));
    int failures = 0;
    for (DataType type : List.of(new ListType(ints, true), struct, new ListType(struct, true))) {
      for (int rows = 0; rows < 2; rows++) {
        for (int allowed = 0; allowed < 4; allowed++) {
          try (ColumnBuilder builder = ColumnBuilder.create(type, memory.allocator())) {
            memory.allocator().failAfter(Long.MAX_VALUE);
            if (rows > 0) {
              builder.appendNull();
            }
            memory.allocator().failAfter(allowed);
            builder.build().close();
          } catch (EngineException e) {
            failures++;
          }
          assertEquals(0, memory.allocator().openBufferCount());
        }
      }
    }
    assertTrue(failures > 5, failures + " failures");
  }

  @Test
  void batchColumnsMustBeEquallyLong() {
    Schema schema =
        Schema.of(
            new Field("a", PrimitiveType.INT32, false), new Field("b", PrimitiveType.INT32, false));
    try (BatchBuilder builder = new BatchBuilder(schema, memory.allocator())) {
      builder.appendRow(1, 2);
      builder.column(0).appendNull();
      assertThrows(IllegalStateException.class, () -> builder.build(0));
      builder.column(1).appendNull();
      try (RecordBatch batch = builder.build(5)) {
        assertEquals(2, batch.rowCount());
        assertEquals(5, batch.sequence());
      }
    }
  }
}
