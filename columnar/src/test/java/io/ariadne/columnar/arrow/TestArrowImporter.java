package io.ariadne.columnar.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.util.TransferPair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Imports of vectors that Arrow's own code has filled. */
class TestArrowImporter {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final RootAllocator arrow = new RootAllocator();

  @AfterEach
  void closeArrow() {
    assertEquals(0, arrow.getAllocatedMemory());
    arrow.close();
  }

  private ColumnVector importVector(FieldVector vector) {
    return new ArrowImporter(memory.allocator()).importVector(vector);
  }

  @Test
  void importsNumbersAndNulls() {
    try (BigIntVector vector = new BigIntVector("v", arrow)) {
      for (int row = 0; row < 1000; row++) {
        if (row % 7 != 0) {
          vector.setSafe(row, row * 3_000_000_000L);
        }
      }
      vector.setValueCount(1000);
      try (ColumnVector column = importVector(vector)) {
        ColumnReader reader = new ColumnReader(column);
        assertEquals(143, column.nullCount());
        for (int row = 0; row < 1000; row++) {
          assertEquals(row % 7 != 0 ? row * 3_000_000_000L : null, reader.getValue(row));
        }
      }
    }
  }

  @Test
  void vectorsWithoutNullsHaveNoValidity() {
    try (IntVector vector = new IntVector("v", arrow)) {
      vector.setSafe(0, 5);
      vector.setValueCount(1);
      try (ColumnVector column = importVector(vector)) {
        assertNull(column.validity());
        assertEquals(5, new ColumnReader(column).getInt(0));
      }
    }
  }

  @Test
  void slicesAreCopiedWhenTheyAreNotAligned() {
    try (IntVector vector = new IntVector("v", arrow);
        BitVector bits = new BitVector("b", arrow)) {
      for (int row = 0; row < 500; row++) {
        vector.setSafe(row, row);
        bits.setSafe(row, row % 3 == 0 ? 1 : 0);
      }
      vector.setNull(17);
      bits.setNull(18);
      vector.setValueCount(500);
      bits.setValueCount(500);
      for (int start : new int[] {0, 1, 5, 8, 16, 64, 133}) {
        TransferPair pair = vector.getTransferPair(arrow);
        TransferPair bitPair = bits.getTransferPair(arrow);
        pair.splitAndTransfer(start, 300);
        bitPair.splitAndTransfer(start, 300);
        try (FieldVector slice = (FieldVector) pair.getTo();
            FieldVector bitSlice = (FieldVector) bitPair.getTo();
            ColumnVector column = importVector(slice);
            ColumnVector bitColumn = importVector(bitSlice)) {
          assertEquals(0, column.data().address() % 64);
          if (start % 16 != 0) {
            assertNotEquals(slice.getDataBufferAddress(), column.data().address());
          }
          ColumnReader reader = new ColumnReader(column);
          ColumnReader bitReader = new ColumnReader(bitColumn);
          for (int row = 0; row < 300; row++) {
            int from = row + start;
            assertEquals(from == 17 ? null : from, reader.getValue(row));
            assertEquals(from == 18 ? null : from % 3 == 0, bitReader.getValue(row));
          }
        }
      }
    }
  }

  @Test
  void stringsShareTheirCharactersOrCopyThem() {
    VarCharVector vector = new VarCharVector("v", arrow);
    List<String> values = new ArrayList<>();
    for (int row = 0; row < 2000; row++) {
      String value = row % 11 == 0 ? null : "\u00e4".repeat(row % 9) + "-" + row;
      values.add(value);
      if (value != null) {
        vector.setSafe(row, value.getBytes(StandardCharsets.UTF_8));
      }
    }
    vector.setValueCount(2000);
    ColumnVector column = importVector(vector);
    long characters = vector.getDataBufferAddress();
    vector.close();
    assertEquals(PrimitiveType.STRING, column.type());
    ColumnReader reader = new ColumnReader(column);
    for (int row = 0; row < 2000; row++) {
      assertEquals(values.get(row), reader.getValue(row));
    }
    boolean shared = column.heaps().get(0).address() == characters;
    assertEquals(characters % 64 == 0, shared, "shared exactly when aligned");
    column.close();
  }

  @Test
  void slicedStringsStartInTheMiddle() {
    try (VarBinaryVector vector = new VarBinaryVector("v", arrow)) {
      for (int row = 0; row < 100; row++) {
        vector.setSafe(row, new byte[row]);
      }
      vector.setValueCount(100);
      TransferPair pair = vector.getTransferPair(arrow);
      pair.splitAndTransfer(40, 20);
      try (FieldVector slice = (FieldVector) pair.getTo();
          ColumnVector column = importVector(slice)) {
        for (int row = 0; row < 20; row++) {
          assertEquals(40 + row, new ColumnReader(column).getBytes(row).length);
        }
      }
    }
  }

  @Test
  void importsLargeOffsets() {
    try (LargeVarCharVector vector = new LargeVarCharVector("v", arrow)) {
      vector.setSafe(0, "short".getBytes(StandardCharsets.UTF_8));
      vector.setNull(1);
      vector.setSafe(2, "a good deal longer".getBytes(StandardCharsets.UTF_8));
      vector.setValueCount(3);
      try (ColumnVector column = importVector(vector)) {
        ColumnReader reader = new ColumnReader(column);
        assertEquals("short", reader.getValue(0));
        assertNull(reader.getValue(1));
        assertEquals("a good deal longer", reader.getValue(2));
      }
    }
  }

  @Test
  void convertsDecimals() {
    try (DecimalVector narrow = new DecimalVector("n", arrow, 18, 2);
        DecimalVector wide = new DecimalVector("w", arrow, 38, 10)) {
      BigDecimal large = new BigDecimal("-9999999999999999.99");
      BigDecimal largest = new BigDecimal("9999999999999999999999999999.9999999999");
      narrow.setSafe(0, large);
      narrow.setNull(1);
      wide.setSafe(0, largest);
      wide.setSafe(1, largest.negate());
      narrow.setValueCount(2);
      wide.setValueCount(2);
      try (ColumnVector first = importVector(narrow);
          ColumnVector second = importVector(wide)) {
        assertEquals(large, new ColumnReader(first).getDecimal(0));
        assertEquals(largest, new ColumnReader(second).getDecimal(0));
        assertEquals(largest.negate(), new ColumnReader(second).getDecimal(1));
      }
    }
  }

  @Test
  void decimalsThatDoNotFitTheirWidthAreRefused() {
    try (DecimalVector narrow = new DecimalVector("n", arrow, 18, 2)) {
      narrow.setSafe(0, new BigDecimal("1.00"));
      narrow.setSafe(1, new BigDecimal("2.00"));
      narrow.setValueCount(2);
      narrow.getDataBuffer().setLong(24, 1);
      EngineException e = assertThrows(EngineException.class, () -> importVector(narrow));
      assertEquals(ErrorCode.CORRUPT_DATA, e.code());
      assertTrue(e.getMessage().contains("row 1"), e.getMessage());
      narrow.setNull(1);
      try (ColumnVector column = importVector(narrow)) {
        assertEquals(new BigDecimal("1.00"), new ColumnReader(column).getDecimal(0));
      }
    }
  }

  @Test
  void importsLists() {
    try (ListVector vector = ListVector.empty("v", arrow)) {
      UnionListWriter writer = vector.getWriter();
      for (int row = 0; row < 50; row++) {
        writer.setPosition(row);
        if (row % 5 == 0) {
          continue;
        }
        writer.startList();
        for (int i = 0; i < row % 4; i++) {
          writer.writeInt(row + i);
        }
        writer.endList();
      }
      vector.setValueCount(50);
      try (ColumnVector column = importVector(vector)) {
        ColumnReader reader = new ColumnReader(column);
        assertNull(reader.getValue(5));
        assertEquals(List.of(), reader.getValue(4));
        assertEquals(List.of(7, 8, 9), reader.getValue(7));
        assertEquals(List.of(49), reader.getValue(49));
      }
    }
  }

  @Test
  void importsEmptyVectors() {
    try (ListVector lists = ListVector.empty("l", arrow);
        VarCharVector strings = new VarCharVector("s", arrow);
        BitVector bits = new BitVector("b", arrow)) {
      lists.addOrGetVector(FieldType.nullable(new ArrowType.Int(32, true)));
      try (ColumnVector list = importVector(lists);
          ColumnVector string = importVector(strings);
          ColumnVector bit = importVector(bits)) {
        assertEquals(0, list.rowCount() + string.rowCount() + bit.rowCount());
        assertEquals(4, list.data().lengthInBytes());
      }
    }
  }

  @Test
  void unsupportedTypesAreNamed() {
    List<ArrowType> types =
        List.of(
            new ArrowType.Int(32, false),
            new ArrowType.FloatingPoint(FloatingPointPrecision.HALF),
            new ArrowType.Date(DateUnit.MILLISECOND),
            new ArrowType.Timestamp(TimeUnit.NANOSECOND, null),
            new ArrowType.Time(TimeUnit.MICROSECOND, 64),
            new ArrowType.Decimal(40, 2, 256),
            new ArrowType.Decimal(40, 2, 128),
            new ArrowType.Decimal(4, 5, 128),
            new ArrowType.Duration(TimeUnit.SECOND),
            new ArrowType.FixedSizeBinary(16),
            new ArrowType.Union(UnionMode.Dense, new int[0]));
    for (ArrowType type : types) {
      Field field = new Field("odd", FieldType.nullable(type), null);
      EngineException e = assertThrows(EngineException.class, () -> ArrowTypes.fromArrow(field));
      assertEquals(ErrorCode.UNSUPPORTED, e.code());
      assertTrue(e.getMessage().contains("odd"), e.getMessage());
    }
  }

  @Test
  void dictionariesAreRefused() {
    DictionaryEncoding encoding = new DictionaryEncoding(1, false, null);
    FieldType type = new FieldType(true, new ArrowType.Int(32, true), encoding);
    EngineException e =
        assertThrows(EngineException.class, () -> ArrowTypes.fromArrow(new Field("d", type, null)));
    assertEquals(ErrorCode.UNSUPPORTED, e.code());
    assertTrue(e.getMessage().contains("dictionary"), e.getMessage());
  }

  @Test
  void offsetsThatLeadOutsideAreRefused() {
    for (int[] offsets : new int[][] {{0, 5, 3}, {0, 5, 100_000}, {-1, 2, 3}, {0, 90, 5}}) {
      try (VarCharVector vector = new VarCharVector("v", arrow)) {
        vector.setSafe(0, new byte[20]);
        vector.setSafe(1, new byte[20]);
        vector.setValueCount(2);
        for (int i = 0; i < offsets.length; i++) {
          vector.getOffsetBuffer().setInt(i * 4L, offsets[i]);
        }
        EngineException e = assertThrows(EngineException.class, () -> importVector(vector));
        assertEquals(ErrorCode.CORRUPT_DATA, e.code());
      }
    }
  }

  @Test
  void listOffsetsThatLeadOutsideAreRefused() {
    try (ListVector vector = ListVector.empty("v", arrow)) {
      UnionListWriter writer = vector.getWriter();
      writer.setPosition(0);
      writer.startList();
      writer.writeInt(1);
      writer.endList();
      vector.setValueCount(1);
      vector.getOffsetBuffer().setInt(4, 2);
      assertThrows(EngineException.class, () -> importVector(vector));
      vector.getOffsetBuffer().setInt(4, 1);
    }
  }

  @Test
  void viewsOfNewerVersionsAreChecked() {
    Field field = viewField();
    assumeTrue(field != null, "this version of Arrow has no string views");
    byte[] text = "a string in a heap of its own".getBytes(StandardCharsets.UTF_8);
    try (FieldVector vector = field.createVector(arrow)) {
      ArrowBuf views = arrow.buffer(48);
      ArrowBuf heap = arrow.buffer(text.length);
      ArrowBuf bits = arrow.buffer(8);
      heap.setBytes(0, text);
      views.setZero(0, 48);
      views.setInt(0, 2);
      views.setByte(4, 'o');
      views.setByte(5, 'k');
      views.setByte(6, 'x');
      views.setInt(16, text.length);
      views.setBytes(20, new byte[] {'n', 'o', 'n', 'e'});
      views.setInt(32, 999);
      views.setInt(40, 77);
      bits.setLong(0, 0b011);
      load(vector, 3, 1, bits, views, heap);
      try (ColumnVector column = importVector(vector)) {
        ColumnReader reader = new ColumnReader(column);
        assertEquals("ok", reader.getValue(0));
        assertEquals(new String(text, StandardCharsets.UTF_8), reader.getValue(1));
        assertNull(reader.getValue(2));
        assertEquals(0, reader.getByteLength(2), "what lay under the null is gone");
        assertEquals(0, column.data().getByte(6), "zeros follow a short string");
        assertEquals('a', column.data().getByte(20), "the prefix is that of the characters");
      }
      vector.getFieldBuffers().get(0).setLong(0, 0b111);
      assertThrows(EngineException.class, () -> importVector(vector));
    }
  }

  private static void load(FieldVector vector, int rows, int nulls, ArrowBuf... buffers) {
    List<ArrowBuf> list = List.of(buffers);
    list.forEach(buffer -> buffer.writerIndex(buffer.capacity()));
    vector.loadFieldBuffers(new ArrowFieldNode(rows, nulls), list);
    list.forEach(ArrowBuf::close);
  }

  /** Found by name, because the older versions do not have it. */
  private static Field viewField() {
    try {
      Class<?> type = Class.forName("org.apache.arrow.vector.types.pojo.ArrowType$Utf8View");
      ArrowType view = (ArrowType) type.getField("INSTANCE").get(null);
      return new Field("v", FieldType.nullable(view), null);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
