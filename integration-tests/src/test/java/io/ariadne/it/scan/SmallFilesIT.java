package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.Outcome;
import io.ariadne.rules.ExecutedPlan;
import java.util.Map;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests hundreds of small files, whose rows are combined into batches: partitions, old files
 * without a column, decimals and dictionaries that differ from file to file, and questions about
 * the file of a row.
 */
class SmallFilesIT extends AbstractScanIT {
  private static final String TABLE = "small_files";
  private static final int FILES = 240;
  private static final Map<String, String> ONE_TASK =
      Map.of(
          "spark.sql.files.openCostInBytes",
          "0",
          "spark.sql.files.minPartitionNum",
          "1",
          "spark.sql.files.maxPartitionBytes",
          "1g");

  @BeforeAll
  void writeFiles() {
    String columns =
        "select id, id % 4 as p, if(id % 7 = 0, null, concat('value number ', id % 13)) as text,"
            + " if(id % 11 = 0, null, id % 2 = 0) as flag,"
            + " cast(if(id % 240 = 3, 99999999999, id) as decimal(18, 2)) as amount,"
            + " named_struct('a', id, 'b', cast(id as string)) as s";
    session
        .sql(columns + " from range(0, 6000, 1, " + FILES / 2 + ")")
        .write()
        .partitionBy("p")
        .mode(SaveMode.Overwrite)
        .parquet(address(TABLE));
    session
        .sql(columns + ", id * 3 as late from range(6000, 12000, 1, " + FILES / 2 + ")")
        .write()
        .partitionBy("p")
        .mode(SaveMode.Append)
        .parquet(address(TABLE));
    session.sql(
        "create table "
            + TABLE
            + " (id bigint, text string, flag boolean, amount decimal(18, 2),"
            + " s struct<a: bigint, b: string>, late bigint, p bigint) using parquet"
            + " partitioned by (p) location '"
            + address(TABLE)
            + "'");
    session.sql("alter table " + TABLE + " recover partitions");
  }

  private Outcome small(String sql) {
    return checked(sql.replace("$t", TABLE), ONE_TASK);
  }

  private static long batches(Outcome outcome) {
    return ExecutedPlan.of(outcome.plan()).named(SCAN).get(0).metrics().get("numOutputBatches");
  }

  @Test
  void combinesRowsOfManyFilesIntoBatches() {
    Outcome outcome = small("select id, p, text, flag, amount, late from $t");
    assertTrue(batches(outcome) < FILES, () -> batches(outcome) + " batches");
    small("select * from $t");
    small("select s.a, s.b, text from $t where s.a % 5 = 0");
  }

  @Test
  void filtersAndAggregatesOfSmallFilesMatchSpark() {
    small("select id, text, p from $t where amount > 5000 and flag");
    small("select p, text, count(*), sum(amount), max(late) from $t group by p, text");
    small("select count(*) from $t where p = 2");
    small("select text, flag from $t where late is null and p in (1, 3)");
    small("select count(*) from (select id from $t where text = 'value number 5' limit 7)");
  }

  @Test
  void rowsKnowTheirFiles() {
    small("select id, input_file_name(), input_file_block_length() from $t");
    small("select id, _metadata.file_name, _metadata.file_size, text from $t where id % 3 = 0");
    small("select id, _metadata.row_index, text from $t");
    small("select count(distinct _metadata.file_path) from $t");
    small("select f, count(*) from (select input_file_name() as f from $t) group by f");
  }
}
