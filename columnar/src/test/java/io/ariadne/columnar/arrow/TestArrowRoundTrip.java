package io.ariadne.columnar.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.columnar.type.StructType;
import io.ariadne.error.EngineException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TestArrowRoundTrip {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private final RootAllocator arrow = new RootAllocator();

  @AfterEach
  void closeArrow() {
    assertEquals(0, arrow.getAllocatedMemory());
    arrow.close();
  }

  static Stream<DataType> types() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.addAll(RandomBatches.nestedTypes());
    types.add(PrimitiveType.NULL);
    types.add(new StructType(List.of()));
    return types.stream();
  }

  @ParameterizedTest
  @MethodSource("types")
  void roundTripIsEqual(DataType type) {
    comesBackEqual(type, ColumnEncoding.PLAIN);
  }

  @ParameterizedTest
  @MethodSource("types")
  void dictionaryColumnsReturnPlain(DataType type) {
    comesBackEqual(type, ColumnEncoding.MIXED);
  }

  private void comesBackEqual(DataType type, ColumnEncoding encoding) {
    RandomBatches random = RandomBatches.create();
    Schema schema = RandomBatches.schemaOf(List.of(type, PrimitiveType.INT64, type));
    for (NullPattern nulls : NullPattern.values()) {
      for (int rows : List.of(0, 1, 8, 33, 1023, 2049)) {
        RecordBatch batch = random.batch(schema, rows, nulls, encoding, memory.allocator());
        List<List<Object>> expected = BatchAssertions.rows(batch);
        try (VectorSchemaRoot root = new ArrowExporter(arrow).export(batch)) {
          assertEquals(rows, root.getRowCount());
          ArrowImporter importer = new ArrowImporter(memory.allocator());
          try (RecordBatch back = importer.importRoot(root, 3)) {
            assertEquals(3, back.sequence());
            assertEquals(schema, back.schema());
            BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(back));
          }
        }
        memory.allocator().assertNothingOpen();
      }
    }
  }

  @Test
  void importedColumnsOutliveTheVectors() {
    RandomBatches random = RandomBatches.create();
    Schema schema = RandomBatches.schemaOf(RandomBatches.flatTypes());
    RecordBatch batch = random.batch(schema, 5000, NullPattern.SOME, memory.allocator());
    List<List<Object>> expected = BatchAssertions.rows(batch);
    VectorSchemaRoot root = new ArrowExporter(arrow).export(batch);
    RecordBatch back = new ArrowImporter(memory.allocator()).importRoot(root, 0);
    root.close();
    BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(back));
    back.close();
  }

  @Test
  void arrowReadsWhatIsExported() {
    Schema schema =
        Schema.of(
            new Field("i", PrimitiveType.INT32, true),
            new Field("s", PrimitiveType.STRING, true),
            new Field("d", new DecimalType(7, 2), true),
            new Field("w", new DecimalType(38, 0), true),
            new Field("b", PrimitiveType.BOOLEAN, true),
            new Field("l", new ListType(PrimitiveType.INT32, true), true));
    BigInteger wide = BigInteger.TEN.pow(37).negate();
    RecordBatch batch;
    try (BatchBuilder builder = new BatchBuilder(schema, memory.allocator())) {
      byte[] text = "\u4e16 and more than twelve".getBytes(StandardCharsets.UTF_8);
      builder.appendRow(7, text, BigInteger.valueOf(-12345), wide, true, List.of(1, 2));
      builder.appendRow(null, null, null, null, null, null);
      builder.appendRow(-1, new byte[0], BigInteger.ONE, BigInteger.TWO, false, List.of());
      batch = builder.build(0);
    }
    try (VectorSchemaRoot root = new ArrowExporter(arrow).export(batch)) {
      assertEquals(
          List.of("7", "\u4e16 and more than twelve", "-123.45", wide.toString(), "true", "[1,2]"),
          row(root, 0));
      assertEquals(List.of("null", "null", "null", "null", "null", "null"), row(root, 1));
      assertEquals(List.of("-1", "", "0.01", "2", "false", "[]"), row(root, 2));
      assertEquals("UTC", timeZoneOfInstants());
    }
  }

  private static List<String> row(VectorSchemaRoot root, int row) {
    return root.getFieldVectors().stream()
        .map((FieldVector vector) -> String.valueOf(vector.getObject(row)))
        .toList();
  }

  private static String timeZoneOfInstants() {
    Field field = new Field("t", PrimitiveType.TIMESTAMP_MICROS, false);
    return ((org.apache.arrow.vector.types.pojo.ArrowType.Timestamp)
            ArrowTypes.toArrow(field).getType())
        .getTimezone();
  }

  @Test
  void fixedWidthIsSharedBothWaysAndCountedWhereItWasAllocated() {
    RandomBatches random = RandomBatches.create();
    Schema schema = RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.FLOAT64));
    RecordBatch batch = random.batch(schema, 4096, NullPattern.SOME, memory.allocator());
    long bytes = memory.allocator().allocatedBytes();
    long address = batch.column(0).data().address();
    long validity = batch.column(1).validity().address();
    try (VectorSchemaRoot root = new ArrowExporter(arrow).export(batch)) {
      assertEquals(bytes, memory.allocator().allocatedBytes());
      assertEquals(address, ((BaseFixedWidthVector) root.getVector(0)).getDataBufferAddress());
      assertEquals(validity, root.getVector(1).getValidityBufferAddress());
      try (RecordBatch back = new ArrowImporter(memory.allocator()).importRoot(root, 0)) {
        assertEquals(bytes, memory.allocator().allocatedBytes(), "nothing was copied");
        assertEquals(address, back.column(0).data().address());
        assertEquals(validity, back.column(1).validity().address());
      }
    }
    assertEquals(0, memory.allocator().allocatedBytes());
  }

  @Test
  void narrowDecimalsAreWidenedAndNarrowedAgain() {
    DecimalType type = new DecimalType(9, 3);
    for (PhysicalType layout : List.of(PhysicalType.I32, PhysicalType.I64, PhysicalType.I128)) {
      ColumnVector column =
          new RandomBatches(5).column(type, layout, 100, NullPattern.SOME, memory.allocator());
      Schema schema = Schema.of(new Field("d", type, true));
      RecordBatch batch = new RecordBatch(schema, 100, List.of(column), 0);
      List<List<Object>> expected = BatchAssertions.rows(batch);
      try (VectorSchemaRoot root = new ArrowExporter(arrow).export(batch);
          RecordBatch back = new ArrowImporter(memory.allocator()).importRoot(root, 0)) {
        assertEquals(PhysicalType.I64, back.column(0).physicalType());
        BatchAssertions.assertRowsInOrder(expected, BatchAssertions.rows(back));
      }
    }
  }

  @Test
  void unknownNullCountIsCounted() {
    ColumnVector column;
    try (ColumnBuilder builder = ColumnBuilder.create(PrimitiveType.INT32, memory.allocator())) {
      for (int row = 0; row < 100; row++) {
        builder.appendValue(row % 3 == 0 ? null : row);
      }
      column = builder.build();
    }
    ColumnVector unknown =
        ColumnVector.flat(
            column.type(), column.physicalType(), 100, column.data(), column.validity());
    assertEquals(34, unknown.countNulls());
    Schema schema = Schema.of(new Field("i", PrimitiveType.INT32, true));
    RecordBatch batch = new RecordBatch(schema, 100, List.of(unknown), 0);
    try (VectorSchemaRoot root = new ArrowExporter(arrow).export(batch)) {
      assertEquals(34, root.getVector(0).getNullCount());
    }
  }

  @Test
  void failuresLeaveNothingOpen() {
    Schema schema = RandomBatches.schemaOf(types().toList());
    RandomBatches random = RandomBatches.create();
    int failures = 0;
    for (long limit = 0; limit < 400_000; limit += 10_000) {
      RecordBatch batch = random.batch(schema, 500, NullPattern.SOME, memory.allocator());
      try (RootAllocator small = new RootAllocator(limit);
          VectorSchemaRoot root = new ArrowExporter(small).export(batch)) {
        assertEquals(500, root.getRowCount());
      } catch (OutOfMemoryException e) {
        failures++;
      }
      memory.allocator().assertNothingOpen();
    }
    assertTrue(failures > 2, failures + " failures");
  }

  @Test
  void failedImportLeavesNothingOpen() {
    Schema schema = RandomBatches.schemaOf(types().toList());
    RandomBatches random = RandomBatches.create();
    RecordBatch batch = random.batch(schema, 100, NullPattern.SOME, memory.allocator());
    try (VectorSchemaRoot root = new ArrowExporter(arrow).export(batch)) {
      int open = memory.allocator().openBufferCount();
      ArrowImporter importer = new ArrowImporter(memory.allocator());
      for (int allowed = 0; allowed < 12; allowed++) {
        memory.allocator().failAfter(allowed);
        assertThrows(EngineException.class, () -> importer.importRoot(root, 0));
        assertEquals(open, memory.allocator().openBufferCount());
      }
    }
  }
}
