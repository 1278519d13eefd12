package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.SparkRows;
import io.ariadne.bridge.TestingSession;
import io.ariadne.bridge.row.RowImporter;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.bridge.vector.SparkBatches;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataTypes;

/** Nanoseconds per row of what runs row by row: the expression bridge and the import of rows. */
public final class BenchmarkRowCode {
  private static final int ROWS = 32_768;
  private static final int ROUNDS = 60;

  private static final Schema SCHEMA =
      Schema.of(
          new Field("n", PrimitiveType.INT64, true),
          new Field("d", new DecimalType(12, 2), true),
          new Field("s", PrimitiveType.STRING, true));

  private BenchmarkRowCode() {}

  /** Prints one line per case: the median of the later rounds. */
  public static void main(String[] arguments) {
    SparkSession spark = TestingSession.start();
    UDF1<Long, Long> plusOne = number -> number == null ? null : number + 1;
    spark.udf().register("plus_one", plusOne, DataTypes.LongType);
    spark
        .createDataFrame(List.<Row>of(), SparkTypes.structType(SCHEMA.fields()))
        .createOrReplaceTempView("t");
    TestingAllocator memory = new TestingAllocator();
    System.out.println("case, ns per row");
    for (String sql : List.of("n", "n % 7", "plus_one(n)", "upper(s)", "d / 3")) {
      bridge(spark, sql, memory);
    }
    rows(memory);
    spark.stop();
  }

  private static void bridge(SparkSession spark, String sql, TestingAllocator memory) {
    Project project =
        (Project) spark.sql("SELECT " + sql + " AS v FROM t").queryExecution().analyzed();
    Object named = ScalaCollections.<Object>list(project.projectList()).get(0);
    Expression expression = sql.equals("n") ? (Expression) named : child((Expression) named);
    List<Attribute> inputs = ExpressionBridge.references(expression);
    SparkExpressionFunction function = SparkExpressionFunction.of(expression, inputs);
    Schema schema = SparkTypes.schema(ScalaCollections.<Attribute>seq(inputs));
    try (RecordBatch batch = new RandomBatches(1).batch(schema, ROWS, NullPattern.SOME, memory)) {
      measure("bridge " + sql, () -> function.apply(batch, memory).close());
    }
  }

  private static Expression child(Expression expression) {
    return expression.children().apply(0);
  }

  private static void rows(TestingAllocator memory) {
    RecordBatch batch = new RandomBatches(1).batch(SCHEMA, ROWS, NullPattern.SOME, memory);
    List<InternalRow> rows = SparkRows.unsafeRows(SparkBatches.toSpark(batch), SCHEMA);
    measure(
        "import of rows (bigint, decimal, string)",
        () -> {
          try (RowImporter importer = new RowImporter(rows.iterator(), SCHEMA, memory, ROWS)) {
            importer.next().close();
          }
        });
  }

  private static void measure(String name, Runnable action) {
    double[] rounds = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      action.run();
      rounds[round] = (System.nanoTime() - start) / (double) ROWS;
    }
    Arrays.sort(rounds, ROUNDS / 2, ROUNDS);
    System.out.printf(Locale.ROOT, "%s, %.1f%n", name, rounds[ROUNDS * 3 / 4]);
  }
}
