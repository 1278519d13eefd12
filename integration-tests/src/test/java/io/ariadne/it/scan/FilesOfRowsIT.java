package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that user code in a fragment and above it, and Spark's functions, get the file of a row,
 * while Ariadne reads several files concurrently.
 */
class FilesOfRowsIT extends AbstractScanIT {
  private static final int FILES = 12;

  /** All files in few partitions, and files in several pieces. */
  private static final Map<String, String> FEW = Map.of("spark.sql.files.openCostInBytes", "0");

  private static final Map<String, String> PIECES =
      Map.of("spark.sql.files.openCostInBytes", "0", "spark.sql.files.maxPartitionBytes", "3000");

  @BeforeAll
  void writeFiles() {
    UDF1<Long, String> fileOf = id -> holder();
    session.udf().register("file_of", fileOf, DataTypes.StringType);
    for (String format : List.of("parquet", "orc")) {
      session
          .range(0, 9000, 1, 1)
          .selectExpr("id", "id % 7 as x")
          .repartition(FILES)
          .write()
          .mode(SaveMode.Overwrite)
          .option("parquet.block.size", "1500")
          .format(format)
          .save(address("files-" + format));
      session
          .read()
          .schema("id bigint, x bigint")
          .format(format)
          .load(address("files-" + format))
          .createOrReplaceTempView("files_" + format);
    }
  }

  private static String holder() {
    return InputFileBlockHolder.getInputFilePath()
        + " "
        + InputFileBlockHolder.getStartOffset()
        + " "
        + InputFileBlockHolder.getLength();
  }

  @Test
  void userFunctionInAFragmentMatchesSpark() {
    for (Map<String, String> settings : List.of(FEW, PIECES)) {
      check("select id + x, file_of(id) from files_parquet where x > 2", settings);
      check("select file_of(id), file_of(x) from files_parquet", settings);
      check("select id from files_parquet where x > 2 and file_of(id) like '%5-%'", settings);
      check("select file_of(id) as f, count(*), sum(x) from files_parquet group by f", settings);
    }
  }

  @Test
  void userFunctionInANodeOfSparksMatchesSpark() {
    for (Map<String, String> settings : List.of(FEW, PIECES)) {
      check(
          "select id + x, file_of(id), monotonically_increasing_id() >= 0 from files_parquet",
          settings);
      check(
          "select f, count(*) from (select file_of(id) as f, monotonically_increasing_id() >= 0 as"
              + " m from files_parquet where x > 2) where m group by f",
          settings);
    }
  }

  @Test
  void sparksOwnFunctionsMatchSpark() {
    String columns =
        "select id, input_file_name(), input_file_block_start(), input_file_block_length() from ";
    for (Map<String, String> settings : List.of(FEW, PIECES)) {
      check(columns + "files_parquet", settings);
      check(columns + "files_parquet where x + 1 > 4", settings);
      check("select input_file_name() as f, count(*) from files_parquet group by f", settings);
      check("select id from files_parquet where input_file_name() like '%3-%' and x = 2", settings);
      check("select input_file_name() from files_parquet", settings);
    }
    check("select x, input_file_name() from (select x from files_parquet group by x)");
    check(
        "select a.id, input_file_name() from (select id from files_parquet union all"
            + " select id from files_orc) a",
        FEW);
  }

  @Test
  void operatorsOverImportedRowsMatchSpark() {
    String query = "select y, %s from (select id + x as y, x from files_%s where x > 2)";
    for (String asked : List.of("input_file_name()", "file_of(y)", "file_of(x + y)")) {
      differential.checkHarmless(query.formatted(asked, "orc"), FEW);
      check(query.formatted(asked, "parquet"), FEW);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc"})
  void functionsOfDatasetsMatchSpark(String format) {
    assertEquals(mapped(format, "false"), mapped(format, "true"));
    assertTrue(mapped(format, "true").stream().allMatch(row -> row.contains("." + format)));
  }

  private List<String> mapped(String format, String enabled) {
    session.conf().set("spark.ariadne.enabled", enabled);
    session.conf().set("spark.sql.files.openCostInBytes", "0");
    try {
      Dataset<String> dataset =
          session
              .sql("select id + x as y from files_" + format + " where x > 2")
              .map((MapFunction<Row, String>) FilesOfRowsIT::withFile, Encoders.STRING());
      if (format.equals("parquet") && enabled.equals("true")) {
        String plan = dataset.queryExecution().executedPlan().toString();
        assertTrue(plan.contains(SCAN), plan);
      }
      return Arrays.stream((String[]) dataset.collect()).sorted().toList();
    } finally {
      session.conf().unset("spark.ariadne.enabled");
      session.conf().unset("spark.sql.files.openCostInBytes");
    }
  }

  private static String withFile(Row row) {
    return row.getLong(0) + " " + holder();
  }
}
