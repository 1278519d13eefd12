package io.ariadne.bridge.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.SparkRows;
import io.ariadne.bridge.vector.SparkBatches;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.DictionaryEncoder;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that rows of every type are unchanged after conversion to Spark's rows and back. */
class TestRowImporter {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @ParameterizedTest
  @EnumSource(NullPattern.class)
  void randomRowsOfAllTypesComeBack(NullPattern nulls) {
    RandomBatches random = RandomBatches.create();
    for (int rowCount : List.of(0, 1, 33, 1025)) {
      Schema schema = allTypes();
      for (ColumnEncoding encoding : ColumnEncoding.values()) {
        try (RecordBatch expected =
                random.batch(schema, rowCount, nulls, encoding, memory.allocator());
            RecordBatch copy = throughRows(expected, random, encoding)) {
          BatchAssertions.assertBatchEquals(expected, copy);
        }
      }
    }
  }

  /** Sends an equal batch through Spark's unsafe rows, then through rows of objects. */
  private RecordBatch throughRows(
      RecordBatch batch, RandomBatches random, ColumnEncoding encoding) {
    Schema schema = batch.schema();
    List<InternalRow> rows;
    DictionaryEncoder encoder = new DictionaryEncoder(random.random(), memory.allocator());
    RecordBatch equal = ObjectValues.copyOf(batch, memory.allocator());
    try (ColumnarBatch spark = SparkBatches.toSpark(encoder.encode(equal, encoding))) {
      rows = SparkRows.unsafeRows(spark, schema);
    }
    try (ColumnarBatch spark = SparkBatches.toSpark(importAll(rows, schema, 1 << 20))) {
      rows = SparkRows.objectRows(spark);
      return importAll(rows, schema, 1 << 20);
    }
  }

  private RecordBatch importAll(List<InternalRow> rows, Schema schema, int targetRows) {
    try (RowImporter importer =
        new RowImporter(rows.iterator(), schema, memory.allocator(), targetRows)) {
      RecordBatch batch = importer.next();
      assertNull(importer.next());
      return batch == null ? new BatchBuilder(schema, memory.allocator()).build(0) : batch;
    }
  }

  @Test
  void batchesEndAtTheTargetAndAreNumbered() {
    Schema schema = Schema.of(new Field("n", PrimitiveType.INT64, false));
    List<InternalRow> rows = new ArrayList<>();
    for (long i = 0; i < 2500; i++) {
      rows.add(new GenericInternalRow(new Object[] {i}));
    }
    try (RowImporter importer =
        new RowImporter(rows.iterator(), schema, memory.allocator(), 1000)) {
      List<Integer> counts = new ArrayList<>();
      long sequence = 0;
      for (RecordBatch batch = importer.next(); batch != null; batch = importer.next()) {
        counts.add(batch.rowCount());
        assertEquals(sequence++, batch.sequence());
        batch.close();
      }
      assertEquals(List.of(1000, 1000, 500), counts);
    }
  }

  @Test
  void longStringsEndABatchEarly() {
    Schema schema = Schema.of(new Field("s", PrimitiveType.STRING, false));
    InternalRow row =
        new GenericInternalRow(new Object[] {UTF8String.fromBytes(new byte[1 << 20])});
    Iterator<InternalRow> rows = Collections.nCopies(40, row).iterator();
    try (RowImporter importer = new RowImporter(rows, schema, memory.allocator(), 1000)) {
      int total = 0;
      for (RecordBatch batch = importer.next(); batch != null; batch = importer.next()) {
        assertTrue(batch.rowCount() <= 17, "rows " + batch.rowCount());
        total += batch.rowCount();
        batch.close();
      }
      assertEquals(40, total);
    }
  }

  @Test
  void decimalsOfAnotherScaleAreRescaled() {
    for (DecimalType type : List.of(new DecimalType(5, 2), new DecimalType(30, 2))) {
      Schema schema = Schema.of(new Field("d", type, true));
      List<InternalRow> rows = new ArrayList<>();
      for (String value : List.of("1.5", "12345678901234567890123456789")) {
        rows.add(new GenericInternalRow(new Object[] {Decimal.apply(value)}));
      }
      try (RecordBatch batch = importAll(rows, schema, 10)) {
        List<Object> tooLarge = Collections.singletonList(null);
        assertEquals(
            List.of(List.of(new BigDecimal("1.50")), tooLarge), BatchAssertions.rows(batch));
      }
    }
  }

  private static Schema allTypes() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.add(PrimitiveType.NULL);
    types.addAll(RandomBatches.nestedTypes());
    return RandomBatches.schemaOf(types);
  }
}
