package io.ariadne.bridge.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.ariadne.bridge.SparkRows;
import io.ariadne.bridge.row.ObjectValues;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.bridge.vector.AriadneColumnVector;
import io.ariadne.bridge.vector.SparkBatches;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.ConstantColumnVector;
import org.apache.spark.sql.execution.vectorized.OffHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that Spark's vectors of every type and class become equal columns. */
class TestColumnarImporter {
  private static final List<Integer> ROW_COUNTS = List.of(1, 63, 64, 65, 700, 0, 1025);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  /** Source batches of uneven sizes, so that bits are appended at every alignment. */
  @ParameterizedTest
  @CsvSource({
    "false,NONE,100000",
    "false,SOME,100000",
    "false,MANY,500",
    "false,ALL,100000",
    "false,RUNS,97",
    "true,NONE,100000",
    "true,SOME,100000",
    "true,MANY,500",
    "true,ALL,100000",
    "true,RUNS,97"
  })
  void randomVectorsOfAllTypesComeBack(boolean offHeap, NullPattern nulls, int targetRows) {
    RandomBatches random = RandomBatches.create();
    List<RecordBatch> expected = new ArrayList<>();
    List<ColumnarBatch> sources = new ArrayList<>();
    Schema schema = allTypes();
    for (int rowCount : ROW_COUNTS) {
      NullPattern pattern = rowCount == 64 ? NullPattern.NONE : nulls;
      RecordBatch batch = random.batch(schema, rowCount, pattern, memory.allocator());
      expected.add(batch);
      sources.add(vectors(batch, offHeap));
    }
    List<RecordBatch> actual = importAll(sources, schema, targetRows);
    actual.forEach(batch -> assertFalse(batch.rowCount() > targetRows));
    BatchAssertions.assertBatchesEqual(expected, actual);
    expected.forEach(RecordBatch::close);
    actual.forEach(RecordBatch::close);
    sources.forEach(ColumnarBatch::close);
  }

  private ColumnarBatch vectors(RecordBatch batch, boolean offHeap) {
    try (ColumnarBatch spark =
        SparkBatches.toSpark(ObjectValues.copyOf(batch, memory.allocator()))) {
      List<InternalRow> rows = SparkRows.unsafeRows(spark, batch.schema());
      return SparkRows.vectors(rows, batch.schema(), offHeap);
    }
  }

  @Test
  void ownVectorsAreUnwrappedWithoutACopy() {
    RandomBatches random = RandomBatches.create();
    RecordBatch batch = random.batch(allTypes(), 100, NullPattern.SOME, memory.allocator());
    io.ariadne.columnar.ColumnVector first = batch.column(0);
    ColumnarBatch spark = SparkBatches.toSpark(batch);
    List<RecordBatch> actual = importAll(List.of(spark), allTypes(), 1000);
    assertSame(first, actual.get(0).column(0));
    spark.close();
    actual.forEach(RecordBatch::close);
  }

  @Test
  void ownVectorUsedTwiceIsCopied() {
    RandomBatches random = RandomBatches.create();
    for (DataType type : RandomBatches.flatTypes()) {
      Schema one = RandomBatches.schemaOf(List.of(type));
      Schema two = RandomBatches.schemaOf(List.of(type, type));
      RecordBatch batch = random.batch(one, 100, NullPattern.SOME, memory.allocator());
      List<List<Object>> rows = BatchAssertions.rows(batch);
      ColumnVector vector = SparkBatches.toSpark(batch).column(0);
      ColumnarBatch twice = new ColumnarBatch(new ColumnVector[] {vector, vector}, 100);
      try (RecordBatch actual = importAll(List.of(twice), two, 1000).get(0)) {
        List<List<Object>> doubled = new ArrayList<>();
        rows.forEach(row -> doubled.add(Arrays.asList(row.get(0), row.get(0))));
        BatchAssertions.assertRowsInOrder(doubled, BatchAssertions.rows(actual));
      }
      ((AriadneColumnVector) vector).close();
    }
  }

  @Test
  void importsConstantsAndMissingColumns() throws Exception {
    Schema schema =
        Schema.of(
            new Field("i", PrimitiveType.INT32, true),
            new Field("s", PrimitiveType.STRING, true),
            new Field("n", PrimitiveType.INT64, true),
            new Field("m", PrimitiveType.STRING, true));
    ConstantColumnVector number = new ConstantColumnVector(70, DataTypes.IntegerType);
    number.setInt(42);
    ConstantColumnVector text = new ConstantColumnVector(70, DataTypes.StringType);
    text.setUtf8String(UTF8String.fromString("a partition of many rows"));
    ConstantColumnVector nothing = new ConstantColumnVector(70, DataTypes.LongType);
    nothing.setNull();
    OnHeapColumnVector missing = new OnHeapColumnVector(70, DataTypes.StringType);
    markMissing(missing);
    ColumnarBatch batch =
        new ColumnarBatch(new ColumnVector[] {number, text, nothing, missing}, 70);
    try (RecordBatch actual = importAll(List.of(batch), schema, 1000).get(0)) {
      for (List<Object> row : BatchAssertions.rows(actual)) {
        assertEquals(Arrays.asList(42, "a partition of many rows", null, null), row);
      }
      assertEquals(70, actual.column(2).nullCount());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void missingColumnsOfAllTypesAreNull(boolean offHeap) throws Exception {
    for (DataType type : RandomBatches.flatTypes()) {
      Schema schema = RandomBatches.schemaOf(List.of(type));
      WritableColumnVector missing =
          offHeap
              ? new OffHeapColumnVector(70, SparkTypes.toSpark(type))
              : new OnHeapColumnVector(70, SparkTypes.toSpark(type));
      markMissing(missing);
      ColumnarBatch batch = new ColumnarBatch(new ColumnVector[] {missing}, 70);
      try (RecordBatch actual = importAll(List.of(batch), schema, 1000).get(0)) {
        assertEquals(70, actual.column(0).nullCount(), type::toString);
      }
      missing.close();
    }
  }

  /** Spark 3.5 calls it setAllNull, 4.x setMissing. */
  private static void markMissing(WritableColumnVector vector) throws ReflectiveOperationException {
    for (Method method : WritableColumnVector.class.getMethods()) {
      if (method.getName().equals("setMissing") || method.getName().equals("setAllNull")) {
        method.invoke(vector);
      }
    }
  }

  @Test
  void batchesWithoutColumnsKeepTheirRows() {
    ColumnarBatch batch = new ColumnarBatch(new ColumnVector[0], 4096);
    List<RecordBatch> actual =
        importAll(List.of(batch, batch, batch), new Schema(List.of()), 10_000);
    assertEquals(List.of(10_000, 2288), actual.stream().map(RecordBatch::rowCount).toList());
  }

  /** Every allocation of the import fails once. */
  @Test
  void nothingLeaksWhenMemoryRunsOut() {
    RandomBatches random = RandomBatches.create();
    TestingAllocator sourceMemory = new TestingAllocator();
    RecordBatch batch = random.batch(allTypes(), 200, NullPattern.SOME, sourceMemory);
    List<InternalRow> rows = SparkRows.unsafeRows(SparkBatches.toSpark(batch), allTypes());
    boolean failed = true;
    for (int allowed = 0; failed; allowed++) {
      TestingAllocator allocator = new TestingAllocator();
      try (ColumnarBatch source = SparkRows.vectors(rows, allTypes(), allowed % 2 == 0)) {
        allocator.failAfter(allowed);
        failed = importFails(List.of(source, source, source), allocator);
      }
      allocator.assertNothingOpen();
    }
  }

  private static boolean importFails(List<ColumnarBatch> sources, TestingAllocator allocator) {
    try (ColumnarImporter importer =
        new ColumnarImporter(sources.iterator(), allTypes(), allocator, 450)) {
      for (RecordBatch one = importer.next(); one != null; one = importer.next()) {
        one.close();
      }
      return false;
    } catch (EngineException e) {
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      return true;
    }
  }

  private List<RecordBatch> importAll(List<ColumnarBatch> sources, Schema schema, int targetRows) {
    List<RecordBatch> batches = new ArrayList<>();
    try (ColumnarImporter importer =
        new ColumnarImporter(sources.iterator(), schema, memory.allocator(), targetRows)) {
      for (RecordBatch batch = importer.next(); batch != null; batch = importer.next()) {
        assertEquals(batches.size(), batch.sequence());
        batches.add(batch);
      }
      assertNull(importer.next());
    }
    return batches;
  }

  private static Schema allTypes() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.addAll(RandomBatches.nestedTypes());
    return RandomBatches.schemaOf(types);
  }
}
