package io.ariadne.bridge.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.bridge.TestingSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.TableCacheQueryStageExec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.runtime.AbstractPartialFunction;

/** Tests that the output of Spark's own columnar readers is unchanged after an import. */
class TestSparkSources {
  private static final int TARGET_ROWS = 10_000;

  private static final String COLUMNS =
      """
      SELECT id,
        CAST(id % 100 AS TINYINT) AS i8, CAST(id % 3000 AS SMALLINT) AS i16,
        IF(id % 7 = 0, NULL, CAST(id % 50 AS INT)) AS i32,
        IF(id % 11 = 0, NULL, CAST(id * 1000003 AS INT)) AS wide32,
        IF(id % 3 = 0, NULL, id % 2 = 0) AS bool,
        CAST(CAST(id AS FLOAT) / 3 AS FLOAT) AS f32,
        IF(id % 5 = 0, double('NaN'), -0.0D * id) AS f64,
        CAST(id % 999 AS DECIMAL(5, 2)) AS d9,
        IF(id % 13 = 0, NULL, CAST(id AS DECIMAL(12, 2)) * 1.01BD) AS d18,
        CAST(id AS DECIMAL(38, 4)) * IF(id % 2 = 0, -1000000000000.5BD, 7) AS d38,
        date_add(DATE'1992-01-01', CAST(id % 2500 AS INT)) AS day,
        timestamp_micros(id * 1000000007) AS ts,
        CAST(timestamp_micros(id * 1000000007) AS TIMESTAMP_NTZ) AS ntz,
        IF(id % 9 = 0, NULL, concat('dictionary entry ', id % 20)) AS entry,
        IF(id % 17 = 0, NULL, concat('plain text number ', id, ' \u4e16\u754c')) AS text,
        CAST(id % 30 AS STRING) AS short,
        CAST(concat('bytes ', id, ' of some length') AS BINARY) AS bytes,
        IF(id % 4 = 0, NULL, sequence(0, id % 3)) AS list,
        named_struct('a', id, 'b', concat('member ', id, ' of a struct')) AS struct,
        map(concat('k', id % 3), IF(id % 2 = 0, NULL, id)) AS map
      FROM range(0, 25000, 1, 2)
      """;

  private static SparkSession spark;
  private static boolean importing;
  @TempDir static Path folder;

  @BeforeAll
  static void start() {
    spark = TestingSession.start(new ImportRule());
    spark.conf().set("spark.sql.ansi.enabled", "false");
    spark.conf().set("spark.sql.orc.enableNestedColumnVectorizedReader", "true");
    Dataset<Row> rows = spark.sql(COLUMNS);
    rows.write().parquet(path("dictionary"));
    rows.write().option("parquet.enable.dictionary", "false").parquet(path("plain"));
    rows.write().orc(path("orc"));
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @AfterEach
  void checkLeaks() {
    TestingImportExec.ALLOCATOR.assertNothingOpen();
  }

  @ParameterizedTest
  @CsvSource({
    "parquet,dictionary,false",
    "parquet,dictionary,true",
    "parquet,plain,false",
    "parquet,plain,true",
    "orc,orc,false"
  })
  void filesComeBackUnchanged(String format, String name, boolean offHeap) {
    spark.conf().set("spark.sql.columnVector.offheap.enabled", String.valueOf(offHeap));
    assertSame(spark.read().format(format).load(path(name)));
  }

  @Test
  void partitionColumnsAndMissingColumnsAreUnchanged() {
    spark
        .sql(
            "SELECT id, concat('partition value ', id % 3) AS p, CAST(id % 2 AS INT) AS q "
                + "FROM range(1000)")
        .write()
        .partitionBy("p", "q")
        .parquet(path("partitioned"));
    Dataset<Row> read =
        spark
            .read()
            .schema("id LONG, missing STRING, absent DECIMAL(10, 2), p STRING, q INT")
            .parquet(path("partitioned"));
    assertSame(read);
  }

  @Test
  void cachedTablesAreUnchanged() {
    Dataset<Row> cached =
        spark.sql(
            "SELECT id, CAST(id AS DOUBLE) AS d, IF(id % 3 = 0, NULL, id) AS n FROM range(30000)");
    cached.cache();
    assertSame(cached);
    cached.unpersist(true);
  }

  @Test
  void earlyLimitFreesEverything() {
    importing = true;
    Dataset<Row> read = spark.read().parquet(path("dictionary")).limit(5);
    assertEquals(5, read.collectAsList().size());
  }

  private static void assertSame(Dataset<Row> read) {
    importing = false;
    List<String> expected = strings(read.orderBy("id"));
    importing = true;
    Dataset<Row> again = read.select("*").orderBy("id");
    List<String> actual = strings(again);
    String plan = again.queryExecution().executedPlan().toString();
    assertTrue(plan.contains("TestingImport"), plan);
    assertIterableEquals(expected, actual);
  }

  private static List<String> strings(Dataset<Row> rows) {
    List<String> strings = new ArrayList<>();
    for (Row row : rows.collectAsList()) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < row.length(); i++) {
        Object value = row.get(i);
        text.append(value instanceof byte[] bytes ? Arrays.toString(bytes) : value).append('|');
      }
      strings.add(text.toString());
    }
    return strings;
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }

  private static final class ImportRule extends ColumnarRule {
    @Override
    public Rule<SparkPlan> preColumnarTransitions() {
      return new Conversion();
    }
  }

  private static final class Conversion extends Rule<SparkPlan> {
    @Override
    public SparkPlan apply(SparkPlan plan) {
      if (!importing) {
        return plan;
      }
      return plan.transformUp(
          new AbstractPartialFunction<SparkPlan, SparkPlan>() {
            @Override
            public boolean isDefinedAt(SparkPlan node) {
              return node.supportsColumnar()
                  && (node instanceof FileSourceScanExec
                      || node instanceof TableCacheQueryStageExec);
            }

            @Override
            public SparkPlan apply(SparkPlan node) {
              return new TestingImportExec(TARGET_ROWS, node);
            }
          });
    }
  }
}
