package io.ariadne.bridge.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.TestingSession;
import io.ariadne.bridge.row.ValueWriter;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarBatchRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that Spark's expressions over Ariadne's columns return what Spark returns, including
 * errors.
 */
class TestSparkExpressionFunction {
  private static final Schema SCHEMA =
      Schema.of(
          new Field("n", PrimitiveType.INT64, true),
          new Field("s", PrimitiveType.STRING, true),
          new Field("f", PrimitiveType.FLOAT64, true));

  private static SparkSession spark;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @BeforeAll
  static void start() {
    spark = TestingSession.start();
    UDF1<String, String> twice = text -> text == null ? null : text + text;
    spark.udf().register("twice", twice, DataTypes.StringType);
    UDF1<Long, Long> failing =
        number -> {
          throw new UnsupportedOperationException("no " + number);
        };
    spark.udf().register("failing", failing, DataTypes.LongType);
    spark
        .createDataFrame(List.<Row>of(), SparkTypes.structType(SCHEMA.fields()))
        .createOrReplaceTempView("t");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "twice(s)",
        "upper(concat(s, '-', n))",
        "transform(sequence(1, 3), x -> x + n % 7)",
        "map(coalesce(s, ''), f)",
        "named_struct('a', n, 'b', s)",
        "CASE WHEN n % 2 = 0 THEN f ELSE 0.5 END",
        "CAST(n % 1000 AS DECIMAL(25, 3)) / 7",
        "date_add(DATE'2020-02-28', CAST(n % 100 AS INT))",
        "regexp_replace(s, '[aeiou]', '')",
        "n",
        "42"
      })
  void sparksOwnValuesComeOut(String sql) throws Exception {
    Expression expression = expression(sql);
    List<Attribute> inputs = ExpressionBridge.references(expression);
    SparkExpressionFunction function =
        throughSerialisation(SparkExpressionFunction.of(expression, inputs));
    RandomBatches random = RandomBatches.create();
    Schema schema = SparkTypes.schema(ScalaCollections.seq(inputs));
    try (RecordBatch batch = random.batch(schema, 1025, NullPattern.SOME, memory.allocator());
        ColumnVector result = function.apply(batch, memory.allocator());
        ColumnVector expected = interpreted(expression, inputs, batch, memory.allocator())) {
      assertEquals(function.resultType(), result.type());
      BatchAssertions.assertColumnEquals(expected, result);
    }
  }

  /** Returns the same by evaluating the expression itself, row by row. */
  private static ColumnVector interpreted(
      Expression expression, List<Attribute> inputs, RecordBatch batch, BufferAllocator allocator) {
    Expression bound = ExpressionBridge.bind(expression, inputs);
    ColumnarBatchRow view = RowView.of(batch, ExpressionBridge.types(inputs));
    DataType type = SparkTypes.fromSpark(expression.dataType());
    try (ColumnBuilder builder = ColumnBuilder.create(type, allocator)) {
      ValueWriter writer = ValueWriter.create(builder);
      for (int row = 0; row < batch.rowCount(); row++) {
        view.rowId = row;
        writer.write(new GenericInternalRow(new Object[] {bound.eval(view)}), 0);
      }
      return builder.build();
    }
  }

  @Test
  void threadsDoNotShareStateInsideTheExpression() throws Exception {
    Expression expression = expression("transform(sequence(1, 5), x -> x + n % 7)");
    List<Attribute> inputs = ExpressionBridge.references(expression);
    SparkExpressionFunction function = SparkExpressionFunction.of(expression, inputs);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (RecordBatch batch = numbers(5000)) {
      List<Future<Long>> sums = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        sums.add(threads.submit((Callable<Long>) () -> sumOfElements(function, batch)));
      }
      long expected = sums.get(0).get();
      for (Future<Long> sum : sums) {
        assertEquals(expected, sum.get());
      }
    } finally {
      threads.shutdown();
    }
  }

  private long sumOfElements(SparkExpressionFunction function, RecordBatch batch) {
    long sum = 0;
    try (ColumnVector result = function.apply(batch, memory.allocator())) {
      ColumnReader elements = new ColumnReader(result).child(0);
      for (int i = 0; i < elements.rowCount(); i++) {
        sum += elements.getLong(i) * (i % 11);
      }
    }
    return sum;
  }

  @Test
  void ansiErrorKeepsItsClassAndQueryContext() {
    spark.conf().set("spark.sql.ansi.enabled", "true");
    try (RecordBatch batch = numbers(100)) {
      String sql = "SELECT n * 9223372036854775807 AS p FROM t";
      Expression expression = expressions(sql).get(0);
      List<Attribute> inputs = ExpressionBridge.references(expression);
      SparkExpressionFunction function = SparkExpressionFunction.of(expression, inputs);
      ArithmeticException error =
          assertThrows(
              ArithmeticException.class, () -> function.apply(batch, memory.allocator()).close());
      assertTrue(error.getMessage().contains("ARITHMETIC_OVERFLOW"), error.getMessage());
      assertTrue(error.getMessage().contains("n * 9223372036854775807"), error.getMessage());
      RowReplay replay = new RowReplay(expression, inputs);
      assertEquals(Long.MAX_VALUE, replay.replay(batch, 1));
      ArithmeticException replayed =
          assertThrows(ArithmeticException.class, () -> replay.replay(batch, 2));
      assertEquals(error.getMessage(), replayed.getMessage());
      assertEquals(error.getClass(), replayed.getClass());
    } finally {
      spark.conf().unset("spark.sql.ansi.enabled");
    }
  }

  @Test
  void errorsNameAFunctionAsItWasCalled() {
    Expression expression = expression("getbit(n, 99)");
    List<Attribute> inputs = ExpressionBridge.references(expression);
    SparkExpressionFunction function = SparkExpressionFunction.of(expression, inputs);
    RowReplay replay = new RowReplay(expression, inputs);
    try (RecordBatch batch = numbers(3)) {
      Exception error =
          assertThrows(
              IllegalArgumentException.class,
              () -> function.apply(batch, memory.allocator()).close());
      assertFalse(error.getMessage().contains("bit_get"), error.getMessage());
      Exception replayed =
          assertThrows(IllegalArgumentException.class, () -> replay.replay(batch, 1));
      assertEquals(error.getMessage(), replayed.getMessage());
    }
  }

  @Test
  void errorOfAUserFunctionIsUnchanged() {
    Expression expression = expression("failing(n)");
    List<Attribute> inputs = ExpressionBridge.references(expression);
    SparkExpressionFunction function = SparkExpressionFunction.of(expression, inputs);
    try (RecordBatch batch = numbers(3)) {
      Exception error =
          assertThrows(
              org.apache.spark.SparkException.class,
              () -> function.apply(batch, memory.allocator()).close());
      assertEquals("no 0", error.getCause().getMessage());
    }
  }

  @Test
  void givesReasonsAgainstUnsupportedExpressions() {
    assertReason("rand()", "rand is not deterministic");
    assertReason("monotonically_increasing_id()", "monotonically_increasing_id is not determ");
    assertReason("n + (SELECT max(n) FROM t)", "is a subquery");
    assertReason("make_interval(0, 0, 0, CAST(n AS INT))", "type INTERVAL is not supported");
    assertThrows(
        IllegalArgumentException.class,
        () -> SparkExpressionFunction.of(expression("rand()"), List.of()));
  }

  @Test
  void orderedExpressionsContinueAcrossBatches() {
    Expression expression = expression("monotonically_increasing_id()");
    SparkExpressionFunction function =
        SparkExpressionFunction.ofOrdered(expression, List.of(), new InputFiles());
    for (int i = 0; i < 3; i++) {
      try (RecordBatch batch = new RecordBatch(new Schema(List.of()), 10, List.of(), i);
          ColumnVector ids = function.apply(batch, memory.allocator())) {
        assertEquals(10L * i, new ColumnReader(ids).getLong(0));
      }
    }
  }

  private static void assertReason(String sql, String part) {
    String reason = ExpressionBridge.reasonAgainst(expression(sql), false).orElseThrow();
    assertTrue(reason.contains(part), reason);
  }

  private RecordBatch numbers(int rowCount) {
    Schema schema = Schema.of(new Field("n", PrimitiveType.INT64, true));
    try (BatchBuilder builder = new BatchBuilder(schema, memory.allocator())) {
      for (long i = 0; i < rowCount; i++) {
        builder.appendRow(i);
      }
      return builder.build(0);
    }
  }

  private static Expression expression(String sql) {
    return expressions("SELECT " + sql + " AS v FROM t").get(0);
  }

  /** Returns the projection of a query, analysed and not optimised. */
  private static List<Expression> expressions(String query) {
    Project project = (Project) spark.sql(query).queryExecution().analyzed();
    List<Expression> expressions = new ArrayList<>();
    // Java does not know that a NamedExpression is an Expression.
    for (Object named : ScalaCollections.<Object>list(project.projectList())) {
      expressions.add(((Expression) named).children().apply(0));
    }
    return expressions;
  }

  private static SparkExpressionFunction throughSerialisation(SparkExpressionFunction function)
      throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(function);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (SparkExpressionFunction) in.readObject();
    }
  }
}
