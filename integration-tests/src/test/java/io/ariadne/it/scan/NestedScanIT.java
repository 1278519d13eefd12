package io.ariadne.it.scan;

import static io.ariadne.it.sql.Coverage.AGGREGATE;
import static io.ariadne.it.sql.Coverage.FILTER;
import static io.ariadne.it.sql.Coverage.PROJECT;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.Coverage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Arrays, structs and maps, read by Ariadne and passed through its operators. */
class NestedScanIT extends AbstractScanIT {
  private static final Map<String, String> LEGACY = Map.of("spark.sql.ansi.enabled", "false");
  private static final Map<String, String> SMALL_PAGES =
      Map.of("parquet.page.row.count.limit", "70", "parquet.block.size", "60000");

  @BeforeAll
  void writeTables() {
    write(table(700, 1), "nested", PLAIN);
    write(table(400, 3), "holes", SMALL_PAGES);
    write(table(60, 0), "full", PLAIN);
    view("nested");
    view("holes");
    view("full");
  }

  private Dataset<Row> table(int rows, int nullsInSix) {
    return session.createDataFrame(
        new ArrayList<>(new NestedTable(random, nullsInSix).rows(rows)), NestedTable.SCHEMA);
  }

  @Test
  void wholeColumnsMatchSpark() {
    for (String table : List.of("nested", "holes", "full")) {
      check("select * from " + table);
      check("select deep, id, maps from " + table);
      check("select s from " + table + " limit 17");
    }
  }

  @Test
  void filtersOfEverySelectivityMatchSpark() {
    for (String table : List.of("nested", "holes")) {
      check("select * from " + table + " where id < 0");
      check("select * from " + table + " where id = 123");
      check("select * from " + table + " where id < 5");
      check("select * from " + table + " where half");
      check("select * from " + table + " where id % 3 = 0 and half");
      check("select * from " + table + " where id >= 0");
      check("select * from " + table + " where ints is null");
      check("select id, pairs from " + table + " where deep is not null and not half");
    }
  }

  @Test
  void partsOfStructsMatchSpark() {
    for (String table : List.of("nested", "holes")) {
      check("select s.str, s.dec38 from " + table);
      check("select pairs.b from " + table);
      check("select deep.x.y.z.a, id from " + table + " where id > 20");
      check("select deep.flag from " + table);
      check("select maps[0][1].b, deep.m['a'] from " + table);
      check("select s.int from " + table + " where s.big < 10 and s.words is not null");
      check("select map_values(maps[0]).a from " + table);
    }
  }

  @Test
  void bridgedFunctionsMatchSpark() {
    String[] queries = {
      "select size(ints), words[0], id from nested where size(pairs) > 1",
      "select transform(ints, x -> x % 7), filter(words, w -> w is not null) from nested",
      "select exists(ints, x -> x > 0), array_contains(words, '') from nested",
      "select map_keys(m), map_entries(dates), element_at(m, 'a') from nested",
      "select named_struct('i', id, 'p', pairs) from nested where half",
      "select struct(s.int as x, deep) from nested",
      "select coalesce(ints, array(1, 2)), if(half, m, null) from nested",
      "select array(id, 7), map('k', s.date), array_distinct(words) from nested",
      "select cast(ints as string), hash(pairs), reverse(words) from nested",
      "select case when half then pairs else null end from nested where id > 3",
      "select flatten(lists), array_sort(ints), s = s from nested",
    };
    for (String query : queries) {
      check(query, LEGACY);
    }
    check("select ints[50] from nested where size(ints) > 1 and half");
  }

  @Test
  void sparksGeneratorsAndOperatorsAboveNestedColumnsMatchSpark() {
    check("select id, explode(ints) from nested");
    check("select id, e.a from nested lateral view explode(pairs) t as e where e.a is not null");
    check("select id, explode(m) from nested where half");
    check("select * from nested order by id desc limit 5");
    check("select a.id, b.pairs from nested a join holes b on a.id = b.id where a.half");
    check("select id, ints from nested where half union all select id, ints from holes");
  }

  @Test
  void aggregatesBesideNestedColumnsMatchSpark() {
    differential.check(
        "select count(ints), count(s), count(m), count(*) from nested where half",
        PLAIN,
        Coverage.of(SCAN, AGGREGATE).aggregates("count").kernels("IsNotNull"));
    check("select half, count(*), sum(id), count(deep) from nested group by half");
    check("select s.bool, count(*), max(s.date) from nested group by s.bool");
    check("select pairs, count(*) from nested group by pairs");
    check("select distinct deep.x from nested");
    check("select count(distinct ints), first(pairs) is null from (select * from full)");
  }

  @Test
  void operatorsOverNestedColumnsMatchSpark() {
    Map<String, String> importing = Map.of("spark.ariadne.disable", "FileSourceScanExec");
    Coverage filtered = Coverage.of(FILTER).kernels("LessThan", "AttributeReference");
    differential.check("select * from nested where id < 300", importing, filtered);
    differential.check(
        "select id + 1, ints, s, m from holes where id * 2 < 300",
        importing,
        Coverage.of(FILTER, PROJECT));
    differential.check(
        "select id + 1, ints, ints, pairs from holes", PLAIN, Coverage.of(SCAN, PROJECT));
  }

  @Test
  void membersOfStructsAreKernels() {
    Coverage members = Coverage.of(SCAN, PROJECT).kernels("GetStructField");
    for (String table : List.of("nested", "holes", "full")) {
      differential.check("select s.int + 1, s.str, deep.x, s from " + table, PLAIN, members);
      differential.check(
          "select s.dec38, deep.flag from " + table + " where s.big > 3 and deep.flag",
          PLAIN,
          members);
      differential.check(
          "select s.bool, count(*), count(s.words), sum(s.tiny) from "
              + table
              + " where s.date is not null group by s.bool",
          PLAIN,
          Coverage.of(SCAN, AGGREGATE).kernels("GetStructField").aggregates("sum"));
      check("select id from " + table + " where s.int = 1 or s.words = 'a' or required.n is null");
      check("select sum(required.n), max(deep.x.y.z[0].a) from " + table + " where s.small < 0");
    }
  }

  @Test
  void accessToNestedValuesByKernelsMatchesSpark() {
    for (String table : List.of("nested", "holes", "full")) {
      differential.check(
          "select size(ints), size(m), ints[0], words[s.int], pairs.b, pairs[1].a, maps[0][3].b"
              + " from "
              + table,
          LEGACY,
          Coverage.of(SCAN, PROJECT)
              .kernels("Size", "GetArrayItem", "GetArrayStructFields", "GetStructField")
              .kernels("GetMapValue"));
      differential.check(
          "select m[''], m['a'], deep.m['zz'], element_at(dates, date '1970-01-01'), map_keys(m),"
              + " map_values(dates), named_struct('i', id, 'p', pairs, 'w', s.words) from "
              + table
              + " where size(pairs) > 0 and words[0] is not null",
          LEGACY,
          Coverage.of(SCAN, PROJECT)
              .kernels("GetMapValue", "MapKeys", "MapValues", "CreateNamedStruct", "Size"));
      differential.check(
          "select m['a'], size(words), count(*), max(pairs[0].a) from "
              + table
              + " where m['b'] is null or size(lists) > 1 group by m['a'], size(words)",
          LEGACY,
          Coverage.of(SCAN, AGGREGATE).kernels("GetMapValue", "Size").aggregates("max"));
      check("select size(ints), m['a'], ints[0] from " + table + " where size(ints) > 0");
    }
  }

  @Test
  void elementsThatMustBeThere() {
    Map<String, String> ansi = Map.of("spark.sql.ansi.enabled", "true");
    Coverage bridged = Coverage.of(SCAN, PROJECT).bridged("GetArrayItem", "ElementAt");
    differential.check(
        "select ints[1], element_at(words, 1), pairs[0] from nested where size(ints) > 1"
            + " and size(words) > 0 and size(pairs) > 0",
        ansi,
        bridged);
    check("select ints[3] from nested", ansi);
    check("select element_at(ints, 2), id from nested", ansi);
    check("select element_at(ints, 2), element_at(words, 7) from nested", LEGACY);
  }

  @Test
  void statisticsOfMembersPruneRowGroups() {
    session
        .range(0, 4000, 1, 1)
        .selectExpr("id", "named_struct('a', id, 'b', named_struct('c', string(id))) as s")
        .write()
        .option("parquet.block.size", "20000")
        .option("parquet.page.row.count.limit", "50")
        .mode("overwrite")
        .parquet(address("sorted"));
    view("sorted");
    check("select * from sorted where s.a = 17");
    check("select id from sorted where s.b.c = '3210' and s.a > 100");
    Map<String, Long> metrics = scanMetrics("select * from sorted where s.a between 2000 and 2010");
    assertTrue(metrics.get("rowsPrunedByStatistics") > 3000, metrics::toString);
  }

  @Test
  void otherReadSchemas() {
    StructType evolved =
        new StructType()
            .add("id", DataTypes.LongType)
            .add("nothing", DataTypes.createArrayType(DataTypes.StringType))
            .add(
                "pairs",
                DataTypes.createArrayType(
                    new StructType()
                        .add("new", DataTypes.createDecimalType(10, 2))
                        .add("b", DataTypes.StringType)
                        .add("other", new StructType().add("q", DataTypes.DateType))))
            .add(
                "s",
                new StructType()
                    .add("dec38", DataTypes.createDecimalType(38, 18))
                    .add("no", DataTypes.IntegerType)
                    .add("small", DataTypes.IntegerType)
                    .add("BOOL", DataTypes.BooleanType))
            .add(
                "maps",
                DataTypes.createArrayType(
                    DataTypes.createMapType(
                        DataTypes.IntegerType, new StructType().add("z", DataTypes.LongType))))
            .add("deep", new StructType().add("none", DataTypes.LongType));
    for (String table : List.of("nested", "holes")) {
      session.read().schema(evolved).parquet(address(table)).createOrReplaceTempView("evolved");
      check("select * from evolved");
      check("select * from evolved where id % 7 = 3");
      check("select s.no, s.small, deep.none, maps from evolved where id > 10");
      check("select * from evolved", Map.of("spark.sql.caseSensitive", "true"));
    }
  }

  @Test
  void legacyFormatsMatchSpark() {
    session.conf().set("spark.sql.parquet.writeLegacyFormat", "true");
    try {
      write(table(300, 1).drop("ntz", "ym", "ds"), "legacy", SMALL_PAGES);
    } finally {
      session.conf().unset("spark.sql.parquet.writeLegacyFormat");
    }
    view("legacy");
    check("select * from legacy");
    check("select * from legacy where half");
    check("select pairs.a, maps[0] from legacy");
  }

  @Test
  void mergedSchemasOfSeveralFilesMatchSpark() {
    session
        .range(0, 40, 1, 1)
        .selectExpr("id", "named_struct('a', id, 'b', 'x') as s")
        .write()
        .mode("overwrite")
        .parquet(address("merged/p=1"));
    session
        .range(40, 90, 1, 1)
        .selectExpr("id", "named_struct('c', array(id), 'a', id) as s", "map('k', id) as m")
        .write()
        .mode("overwrite")
        .parquet(address("merged/p=2"));
    session
        .read()
        .option("mergeSchema", "true")
        .parquet(address("merged"))
        .createOrReplaceTempView("merged");
    check("select * from merged");
    check("select s.c, m, p from merged where id > 30");
    check("select s.b from merged where s.a > 20 and p = 1");
  }

  @Test
  void unsupportedCasesStayWithSpark() {
    String key = "spark.sql.parquet.enableNestedColumnVectorizedReader";
    session.conf().set(key, "false");
    try {
      checkFallback("select ints from nested", PLAIN, key + " is false");
      check("select id from nested");
    } finally {
      session.conf().unset(key);
    }
  }

  @Test
  void manyWindowsMatchSpark() {
    session
        .range(0, 150_000, 1, 1)
        .selectExpr(
            "id",
            "if(id % 11 = 0, null, sequence(id, id + id % 4)) as a",
            "named_struct('x', if(id % 5 = 0, null, id), 'y', array(cast(id as string))) as s",
            "map(id % 3, 'v' || id % 100) as m")
        .write()
        .mode("overwrite")
        .parquet(address("many"));
    view("many");
    check("select count(*), sum(hash(a, s)), sum(size(m)) from many");
    check("select a, s, m from many where id % 1000 = 7");
    check("select sum(hash(s.y, a)), count(m) from many where id % 2 = 0");
  }

  /** Keys that are structs all of whose members the file lacks. */
  @Test
  void mapsWithoutTheirKeysMatchSpark() {
    write(
        session
            .range(100)
            .selectExpr(
                "id",
                "if(id % 7 = 0, null, map_from_entries(transform(sequence(1, cast(id % 3 as int)"
                    + " + 1), i -> struct(struct(i as a) as k, id * i as v)))) as m"),
        "keyless",
        PLAIN);
    view("keyless", "id bigint, m map<struct<b: int>, bigint>");
    for (String isNull : List.of("true", "false")) {
      Map<String, String> settings =
          Map.of("spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing", isNull);
      check("select id, map_values(m) from keyless where id > 3", settings);
      check("select id, size(m), m is null from keyless", settings);
    }
  }
}
