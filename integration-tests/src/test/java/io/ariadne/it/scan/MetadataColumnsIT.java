package io.ariadne.it.scan;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The hidden column {@code _metadata}, and columns looked up by field id. */
class MetadataColumnsIT extends AbstractScanIT {
  @BeforeAll
  void writeTables() {
    session
        .range(0, 3000, 1, 3)
        .selectExpr("id", "id % 3 as `p q`", "concat('v', id % 50) as s")
        .write()
        .option("parquet.block.size", "4000")
        .partitionBy("p q")
        .parquet(address("hidden"));
    session.sql("create table hidden using parquet location '" + address("hidden") + "'");
    session.sql("alter table hidden recover partitions");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file_path",
        "file_name",
        "file_size",
        "file_block_start",
        "file_block_length",
        "file_modification_time"
      })
  void testConstantsOfAFile(String field) {
    check("select id, s, _metadata." + field + " as m from hidden where id < 1000");
    check("select _metadata." + field + " as m, count(*) from hidden group by m");
    check("select max(m) from (select id, _metadata." + field + " as m from hidden) where id > 5");
  }

  @Test
  void testSeveralBesidePartitionColumns() {
    Map<String, String> splits =
        Map.of("spark.sql.files.maxPartitionBytes", "3000", "spark.sql.files.openCostInBytes", "0");
    check(
        "select _metadata.file_block_start, id, `p q`, _metadata.file_name, s from hidden", splits);
    check("select `p q`, _metadata.file_size, _metadata.file_path from hidden", splits);
  }

  @Test
  void testAllAtOnceAndRowIndexStayWithSpark() {
    checkFallback(
        "select id, _metadata.row_index from hidden",
        PLAIN,
        "the row index of the file is asked for");
    differential.checkHarmless("select id, _metadata from hidden where id < 100", PLAIN);
  }

  @Test
  void testFieldIds() {
    Map<String, String> settings =
        Map.of(
            "spark.sql.parquet.fieldId.read.enabled", "true",
            "spark.sql.parquet.fieldId.read.ignoreMissing", "true");
    var ids = List.of("{\"parquet.field.id\":7}", "{\"parquet.field.id\":8}");
    var written = schema("a", ids.get(0), "b", ids.get(1));
    session
        .createDataFrame(session.sql("select id, s from hidden").toJavaRDD(), written)
        .coalesce(1)
        .write()
        .parquet(address("ids"));
    view("ids", schema("renamed", ids.get(1).replace("8", "7"), "b", ids.get(1)));
    check("select * from ids", settings);
    check("select * from ids where renamed > 100", settings);
    view("ids", schema("b", ids.get(0), "missing", "{\"parquet.field.id\":99}"));
    check("select * from ids", settings);
    view("ids", schema("a", "{}", "other", ids.get(1)));
    check("select * from ids", settings);
    check("select * from ids", Map.of());
  }

  private static org.apache.spark.sql.types.StructType schema(
      String first, String firstMetadata, String second, String secondMetadata) {
    return new org.apache.spark.sql.types.StructType()
        .add(first, org.apache.spark.sql.types.DataTypes.LongType, true, metadata(firstMetadata))
        .add(
            second,
            org.apache.spark.sql.types.DataTypes.StringType,
            true,
            metadata(secondMetadata));
  }

  private static org.apache.spark.sql.types.Metadata metadata(String json) {
    return org.apache.spark.sql.types.Metadata.fromJson(json);
  }
}
