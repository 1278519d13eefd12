package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
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
  void constantsOfAFileMatchSpark(String field) {
    check("select id, s, _metadata." + field + " as m from hidden where id < 1000");
    check("select _metadata." + field + " as m, count(*) from hidden group by m");
    check("select max(m) from (select id, _metadata." + field + " as m from hidden) where id > 5");
  }

  @Test
  void severalColumnsBesidePartitionColumnsMatchSpark() {
    Map<String, String> splits =
        Map.of("spark.sql.files.maxPartitionBytes", "3000", "spark.sql.files.openCostInBytes", "0");
    check(
        "select _metadata.file_block_start, id, `p q`, _metadata.file_name, s from hidden", splits);
    check("select `p q`, _metadata.file_size, _metadata.file_path from hidden", splits);
  }

  @Test
  void allMetadataColumnsTogetherMatchSpark() {
    check("select id, _metadata from hidden where id < 100");
    check("select _metadata.row_index, _metadata.file_name, _metadata.file_size, id from hidden");
  }

  @Test
  void rowIndexMatchesSpark() {
    for (String pieces : List.of("3000", "128MB")) {
      Map<String, String> settings =
          Map.of(
              "spark.sql.files.maxPartitionBytes", pieces, "spark.sql.files.openCostInBytes", "0");
      check("select id, _metadata.row_index from hidden", settings);
      check("select _metadata.row_index from hidden", settings);
      check("select _metadata.row_index + 1 as i, s, `p q` from hidden where id > 1500", settings);
      check("select id, _metadata.row_index as i from hidden where id % 7 = 3", settings);
      check("select id from hidden where _metadata.row_index = 17", settings);
      check("select id from hidden where _metadata.row_index % 10 = 3 and s = 'v7'", settings);
      check("select `p q`, max(_metadata.row_index), count(*) from hidden group by 1", settings);
      check("select sum(_metadata.row_index) from hidden where id is null", settings);
    }
  }

  @Test
  void rowIndexBehindSkippedPagesMatchesSpark() {
    write(
        session.range(0, 20_000, 1, 1).selectExpr("id", "concat('text ', id) as s"),
        "paged",
        Map.of("parquet.page.row.count.limit", "500"));
    String paged = "select _metadata.row_index, s from parquet.`" + address("paged") + "` where ";
    check(paged + "id between 7777 and 7790");
    check(paged + "id in (3, 19999)");
    Map<String, Long> metrics = scanMetrics(paged + "id = 7777");
    assertTrue(metrics.get("rowsPrunedByStatistics") > 10_000, metrics::toString);
  }

  @Test
  void columnOfTheTemporaryName() {
    write(
        session.range(0, 100, 1, 1).selectExpr("id", "id * 2 as _tmp_metadata_row_index"),
        "temporary",
        Map.of());
    view("temporary", "id bigint, _tmp_metadata_row_index bigint");
    check("select id, _tmp_metadata_row_index from temporary");
    view("temporary", "id bigint, _tmp_metadata_row_index int");
    checkFallback(
        "select id, _tmp_metadata_row_index from temporary",
        PLAIN,
        "column _tmp_metadata_row_index has type INT");
  }

  @Test
  void fieldIdsMatchSpark() {
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

  @Test
  void filesWithoutFieldIdsMatchSpark() {
    write(session.sql("select id as a, s as b from hidden"), "no-ids", Map.of());
    session
        .read()
        .schema(schema("a", "{\"parquet.field.id\":7}", "b", "{}"))
        .parquet(address("no-ids"))
        .createOrReplaceTempView("no_ids");
    for (String enabled : List.of("true", "false")) {
      for (String ignored : List.of("true", "false")) {
        Map<String, String> settings =
            Map.of(
                "spark.sql.parquet.fieldId.read.enabled", enabled,
                "spark.sql.parquet.fieldId.read.ignoreMissing", ignored);
        check("select * from no_ids", settings);
        check("select b from no_ids", settings);
        check("select count(*) from no_ids where a > 3", settings);
      }
    }
    differential.checkHarmless(
        "select a, b from no_ids",
        Map.of(
            "spark.sql.parquet.fieldId.read.enabled", "true",
            "spark.sql.files.ignoreCorruptFiles", "true"));
  }

  @Test
  void filesOfWhichSomeHaveFieldIds() {
    write(session.sql("select id as a, s as b from hidden where id < 50"), "some-ids", Map.of());
    session
        .createDataFrame(
            session.sql("select id, s from hidden where id > 2950").toJavaRDD(),
            schema("x", "{\"parquet.field.id\":7}", "b", "{}"))
        .write()
        .mode("append")
        .parquet(address("some-ids"));
    session
        .read()
        .schema(schema("a", "{\"parquet.field.id\":7}", "b", "{}"))
        .parquet(address("some-ids"))
        .createOrReplaceTempView("some_ids");
    for (String ignored : List.of("true", "false")) {
      check(
          "select * from some_ids",
          Map.of(
              "spark.sql.parquet.fieldId.read.enabled",
              "true",
              "spark.sql.parquet.fieldId.read.ignoreMissing",
              ignored));
    }
  }

  @Test
  void fieldIdsInsideColumnsMatchSpark() {
    session
        .createDataFrame(
            session
                .sql(
                    "select named_struct('a', id, 'b', s) as s, array(named_struct('a', id, 'b',"
                        + " s), null) as l, map(s, named_struct('a', -id, 'b', null)) as m from"
                        + " hidden")
                .toJavaRDD(),
            nested("s", "l", "m", pair("a", 1, "b", 2)))
        .coalesce(1)
        .write()
        .parquet(address("nested-ids"));
    Map<String, String> settings = Map.of("spark.sql.parquet.fieldId.read.enabled", "true");
    List<StructType> members =
        List.of(
            pair("x", 1, "y", 2), pair("b", 1, "c", 9), pair("a", 7, "b", 2), pair("p", 8, "q", 9));
    for (StructType member : members) {
      session
          .read()
          .schema(nested("s", "other", "third", member))
          .parquet(address("nested-ids"))
          .createOrReplaceTempView("nested_ids");
      check("select * from nested_ids", settings);
      check("select s, third from nested_ids", PLAIN);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void structsWithoutAnyOfTheirMembersMatchSpark(String legacy) {
    write(
        session.sql("select id, if(id % 3 = 0, null, named_struct('a', id)) as s from hidden"),
        "structs",
        Map.of());
    view("structs", "id bigint, s struct<gone: bigint, missing: string>");
    check(
        "select * from structs",
        Map.of("spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing", legacy));
  }

  private static StructField member(String name, DataType type, int id) {
    Metadata metadata = new MetadataBuilder().putLong("parquet.field.id", id).build();
    return new StructField(name, type, true, metadata);
  }

  private static StructType pair(String first, int firstId, String second, int secondId) {
    return new StructType(
        new StructField[] {
          member(first, DataTypes.LongType, firstId), member(second, DataTypes.StringType, secondId)
        });
  }

  /** Returns a struct, a list and a map of structs. */
  private static StructType nested(String struct, String list, String map, StructType member) {
    return new StructType(
        new StructField[] {
          member(struct, member, 11),
          member(list, new ArrayType(member, true), 12),
          member(map, new MapType(DataTypes.StringType, member, true), 13)
        });
  }

  private static StructType schema(
      String first, String firstMetadata, String second, String secondMetadata) {
    return new StructType()
        .add(first, DataTypes.LongType, true, metadata(firstMetadata))
        .add(second, DataTypes.StringType, true, metadata(secondMetadata));
  }

  private static Metadata metadata(String json) {
    return Metadata.fromJson(json);
  }
}
