package io.ariadne.bridge.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.SparkRows;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.bridge.vector.SparkBatches;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that rows have the bytes that Spark's own projection writes. */
class TestBatchRows {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @ParameterizedTest
  @EnumSource(NullPattern.class)
  void randomRowsOfAllTypes(NullPattern nulls) {
    List<DataType> all = new ArrayList<>(RandomBatches.flatTypes());
    all.add(PrimitiveType.NULL);
    all.addAll(RandomBatches.nestedTypes());
    check(RandomBatches.schemaOf(all), nulls);
    List<DataType> encoded = new ArrayList<>(RandomBatches.flatTypes());
    encoded.removeIf(
        type -> !RowEncoder.supports(sparkTypes(RandomBatches.schemaOf(List.of(type)))));
    assertTrue(encoded.size() > 10, () -> "only " + encoded);
    check(RandomBatches.schemaOf(encoded), nulls);
  }

  /** Uses more columns than one word of null bits covers. */
  @Test
  void encodesManyColumns() {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      DataType type = i % 3 == 0 ? PrimitiveType.STRING : PrimitiveType.INT64;
      fields.add(new Field("c" + i, type, true));
    }
    check(new Schema(fields), NullPattern.values()[NullPattern.values().length - 1]);
  }

  private void check(Schema schema, NullPattern nulls) {
    RandomBatches random = RandomBatches.create();
    for (int rowCount : List.of(1, 33, 1025)) {
      for (ColumnEncoding encoding : ColumnEncoding.values()) {
        RecordBatch batch = random.batch(schema, rowCount, nulls, encoding, memory.allocator());
        try (ColumnarBatch columns = SparkBatches.toSpark(batch)) {
          List<InternalRow> expected = SparkRows.unsafeRows(columns, schema);
          assertEquals(expected, rows(List.of(columns), schema));
        }
      }
    }
  }

  @Test
  void encodesSeveralBatches() {
    Schema schema = Schema.of(new Field("s", PrimitiveType.STRING, true));
    RandomBatches random = RandomBatches.create();
    List<ColumnarBatch> batches = new ArrayList<>();
    List<InternalRow> expected = new ArrayList<>();
    batches.add(SparkBatches.toSpark(new BatchBuilder(schema, memory.allocator()).build(0)));
    for (int rowCount : List.of(700, 1, 2000)) {
      RecordBatch batch =
          random.batch(
              schema,
              rowCount,
              NullPattern.values()[0],
              ColumnEncoding.values()[0],
              memory.allocator());
      batches.add(SparkBatches.toSpark(batch));
      expected.addAll(SparkRows.unsafeRows(batches.get(batches.size() - 1), schema));
    }
    assertEquals(expected, rows(batches, schema));
    batches.forEach(ColumnarBatch::close);
  }

  /** Encodes a string larger than what is encoded at a time, between small ones. */
  @Test
  void encodesLargeRows() {
    Schema schema = Schema.of(new Field("s", PrimitiveType.STRING, false));
    BatchBuilder builder = new BatchBuilder(schema, memory.allocator());
    for (int i = 0; i < 20; i++) {
      builder.appendRow(
          (Object)
              "x".repeat(i % 5 == 3 ? 1_500_000 : 200_000 + i).getBytes(StandardCharsets.UTF_8));
    }
    try (ColumnarBatch columns = SparkBatches.toSpark(builder.build(20))) {
      assertEquals(SparkRows.unsafeRows(columns, schema), rows(List.of(columns), schema));
    }
  }

  private static List<InternalRow> rows(List<ColumnarBatch> batches, Schema schema) {
    SQLMetric rowMetric = new SQLMetric("sum", 0);
    SQLMetric batchMetric = new SQLMetric("sum", 0);
    BatchRows rows = new BatchRows(batches.iterator(), sparkTypes(schema), rowMetric, batchMetric);
    List<InternalRow> copies = new ArrayList<>();
    while (rows.hasNext()) {
      copies.add(rows.next().copy());
    }
    assertFalse(rows.hasNext());
    assertThrows(NoSuchElementException.class, rows::next);
    assertEquals(copies.size(), rowMetric.value());
    assertEquals(batches.size(), batchMetric.value());
    return copies;
  }

  private static org.apache.spark.sql.types.DataType[] sparkTypes(Schema schema) {
    return SparkTypes.columnTypes(SparkTypes.structType(schema.fields()));
  }
}
