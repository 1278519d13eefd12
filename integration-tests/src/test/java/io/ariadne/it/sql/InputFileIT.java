package io.ariadne.it.sql;

import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests user code that asks for the file of its row while Ariadne reads ahead. */
class InputFileIT extends AbstractDifferentialIT {
  private static final int FILES = 12;
  private static final int ROWS = 9000;

  /** All files in few partitions, so that a task reads several. */
  private static final Map<String, String> SETTINGS =
      with(LEGACY, "spark.sql.files.openCostInBytes", "0");

  @BeforeAll
  void writeFiles() {
    UDF1<Long, String> fileOf =
        id ->
            InputFileBlockHolder.getInputFilePath()
                + " from "
                + InputFileBlockHolder.getStartOffset();
    session.udf().register("file_of", fileOf, DataTypes.StringType);
    for (String format : new String[] {"parquet", "orc", "json"}) {
      Path target = folder.resolve("files-" + format);
      session
          .range(0, ROWS, 1, 1)
          .selectExpr("id", "id % 7 as x")
          .repartition(FILES)
          .write()
          .mode(SaveMode.Overwrite)
          .format(format)
          .save(target.toUri().toString());
      session
          .read()
          .schema("id bigint, x bigint")
          .format(format)
          .load(target.toUri().toString())
          .createOrReplaceTempView("files_" + format);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "orc"})
  void userFunctionSeesTheFileOfItsRow(String format) {
    differential.check(
        "select id + x, file_of(id) from files_" + format + " where x > 2",
        SETTINGS,
        Coverage.of(Coverage.PROJECT, Coverage.FILTER).kernels("Add").bridged("ScalaUDF"));
  }

  @Test
  void userFunctionInAFilterAndBehindItMatchesSpark() {
    differential.check(
        "select id + x, file_of(id + 1) from files_parquet where x > 2 and file_of(id) like '%5-%'",
        SETTINGS,
        Coverage.of(Coverage.PROJECT, Coverage.FILTER)
            .kernels("Add", "GreaterThan", "Contains")
            .bridged("ScalaUDF"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "json"})
  void userFunctionOverImportedRowsMatchesSpark(String format) {
    differential.check(
        "select file_of(id) as f, count(*), sum(x), min(id) from files_" + format + " group by f",
        with(SETTINGS, "spark.sql.parquet.enableVectorizedReader", "false"),
        Coverage.of(Coverage.AGGREGATE).bridged("ScalaUDF").aggregates("count", "sum", "min"));
  }

  /** Two fragments with a node of Spark's between them: the lower one has to name its files. */
  @Test
  void userFunctionAboveAnImportFromAFragmentMatchesSpark() {
    differential.check(
        "select file_of(id + y) as f, count(*), sum(x + y), min(id) from"
            + " (select id, x + 1 as x from files_parquet where x > 2)"
            + " lateral view explode(array(1, 2)) as y group by f",
        SETTINGS,
        Coverage.of(Coverage.AGGREGATE, Coverage.FILTER)
            .bridged("ScalaUDF")
            .aggregates("count", "sum", "min"));
  }

  @Test
  void sparksOwnQuestionAboveAFragmentMatchesSpark() {
    differential.check(
        "select id + x, input_file_name() from files_parquet where x + 1 > 3",
        with(SETTINGS, "spark.ariadne.disable", "ProjectExec"),
        Coverage.of(Coverage.FILTER).kernels("GreaterThan"));
  }
}
