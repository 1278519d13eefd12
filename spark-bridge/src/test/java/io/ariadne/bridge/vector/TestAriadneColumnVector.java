package io.ariadne.bridge.vector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests ownership, bounds and the layouts that only batches choose. Round trips test values. */
class TestAriadneColumnVector {
  private static final Schema SCHEMA = Schema.of(new Field("n", PrimitiveType.INT64, true));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @Test
  void rowsAreCheckedAlsoAfterClose() {
    AriadneColumnVector vector = new AriadneColumnVector(numbers(10), DataTypes.LongType);
    assertEquals(9, vector.getLong(9));
    assertThrows(IndexOutOfBoundsException.class, () -> vector.getLong(10));
    assertThrows(IndexOutOfBoundsException.class, () -> vector.getLong(-1));
    vector.close();
    assertThrows(IndexOutOfBoundsException.class, () -> vector.getLong(0));
    assertThrows(IllegalStateException.class, vector::column);
    vector.close();
  }

  @Test
  void takenColumnsSurviveTheVector() {
    ColumnVector column = numbers(3);
    AriadneColumnVector vector = new AriadneColumnVector(column, DataTypes.LongType);
    assertSame(column, vector.take());
    assertFalse(vector.isOpen());
    vector.close();
    assertEquals(3, column.rowCount());
    assertEquals(0, column.data().getLong(0));
    column.close();
  }

  @Test
  void viewsCloseNothing() {
    try (ColumnVector column = numbers(3)) {
      AriadneColumnVector view = AriadneColumnVector.viewOf(column, DataTypes.LongType);
      assertThrows(IllegalStateException.class, view::take);
      view.close();
      assertEquals(2, view.getLong(2));
    }
  }

  @Test
  void countsNullsWhenTheCountIsUnknown() {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.INT64, memory.allocator())) {
      for (int i = 0; i < 200; i++) {
        builder.appendValue(i % 3 == 0 ? null : (long) i);
      }
      ColumnVector counted = builder.build();
      ColumnVector column =
          ColumnVector.flat(
              counted.type(), PhysicalType.I64, 200, counted.data(), counted.validity());
      try (AriadneColumnVector vector = new AriadneColumnVector(column, DataTypes.LongType)) {
        assertEquals(67, vector.numNulls());
        assertTrue(vector.hasNull());
      }
    }
  }

  @Test
  void decimalsOfAnyWidthHaveTheirValue() {
    for (PhysicalType layout :
        new PhysicalType[] {PhysicalType.I32, PhysicalType.I64, PhysicalType.I128}) {
      DecimalType type = new DecimalType(9, 2);
      try (ColumnBuilder builder = ColumnBuilder.create(type, layout, memory.allocator())) {
        builder.appendValue(BigInteger.valueOf(-999_999_999));
        builder.appendNull();
        try (AriadneColumnVector vector =
            new AriadneColumnVector(builder.build(), DataTypes.createDecimalType(9, 2))) {
          assertEquals(
              new BigDecimal("-9999999.99"), vector.getDecimal(0, 9, 2).toJavaBigDecimal());
          assertNull(vector.getDecimal(1, 9, 2));
        }
      }
    }
  }

  @Test
  void bytesOfAnyLengthAreCopiedWithZerosBehindThem() {
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.BINARY, memory.allocator())) {
      for (int length = 0; length < 100; length++) {
        builder.appendValue(bytes(length));
      }
      try (AriadneColumnVector vector =
          new AriadneColumnVector(builder.build(), DataTypes.BinaryType)) {
        for (int length = 0; length < 100; length++) {
          int room = (length + 7) & -8;
          byte[] target = new byte[3 + room];
          vector.copyBytes(length, target, 3);
          byte[] expected = new byte[3 + room];
          System.arraycopy(bytes(length), 0, expected, 3, length);
          assertArrayEquals(expected, target);
        }
      }
    }
  }

  /** Returns bytes that are not zero, each different from its neighbours. */
  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (255 - i);
    }
    return bytes;
  }

  @Test
  void iteratorClosesABatchWhenTheNextIsRequested() {
    Numbers source = new Numbers(3);
    try (SparkBatchIterator batches =
        new SparkBatchIterator(source, new DataType[] {DataTypes.LongType}, null)) {
      ColumnarBatch first = batches.next();
      assertEquals(5, first.numRows());
      ColumnarBatch second = batches.next();
      assertFalse(((AriadneColumnVector) first.column(0)).isOpen());
      assertTrue(((AriadneColumnVector) second.column(0)).isOpen());
      assertTrue(batches.hasNext());
      assertFalse(((AriadneColumnVector) second.column(0)).isOpen());
      batches.next();
      assertFalse(batches.hasNext());
      assertTrue(source.closed);
    }
  }

  @Test
  void iteratorClosedEarlyFreesItsLookahead() {
    Numbers source = new Numbers(3);
    try (SparkBatchIterator batches =
        new SparkBatchIterator(source, new DataType[] {DataTypes.LongType}, null)) {
      assertTrue(batches.hasNext());
    }
    assertTrue(source.closed);
  }

  @Test
  void iteratorFreesABatchThatItCannotReturn() {
    DataType[] tooMany = {DataTypes.LongType, DataTypes.LongType};
    try (SparkBatchIterator batches = new SparkBatchIterator(new Numbers(1), tooMany, null)) {
      assertThrows(IllegalArgumentException.class, batches::next);
    }
    // The leak check looks for the batch.
  }

  private ColumnVector numbers(int rowCount) {
    try (RecordBatch batch = batch(rowCount)) {
      return batch.takeColumn(0);
    }
  }

  private RecordBatch batch(int rowCount) {
    try (BatchBuilder builder = new BatchBuilder(SCHEMA, memory.allocator())) {
      for (long i = 0; i < rowCount; i++) {
        builder.appendRow(i);
      }
      return builder.build(0);
    }
  }

  /** Batches of 5 rows, with an empty one before each. */
  private final class Numbers implements BatchSource {
    private final int count;
    private int given;
    private boolean closed;

    Numbers(int count) {
      this.count = count;
    }

    @Override
    public Schema schema() {
      return SCHEMA;
    }

    @Override
    public RecordBatch next() {
      if (given == 2 * count) {
        return null;
      }
      return batch(given++ % 2 == 0 ? 0 : 5);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
