package io.ariadne.it.scan;

import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Strings that are the same in all rows of a file, in filters that read other columns besides: some
 * are longer than the twelve bytes a view holds itself.
 */
class StringConstantsIT extends AbstractScanIT {
  @BeforeAll
  void writeTables() {
    session
        .range(0, 3000, 1, 1)
        .selectExpr(
            "id",
            "cast(id % 23 as int) as x",
            "concat('text number ', id % 50) as s",
            "case id % 5 when 0 then 'asia' when 1 then 'north-america' when 2 then 'europe'"
                + " when 3 then 'a region with a very long name' end as p")
        .createOrReplaceTempView("numbers");
    session
        .table("numbers")
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy("p")
        .parquet(address("regions"));
    session.sql("create table regions using parquet location '" + address("regions") + "'");
    session.sql("alter table regions recover partitions");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "p = 'asia' or x > 5",
        "p = 'north-america' or x > 5",
        "'north-america' = p or x > 5",
        "p <> 'north-america' and id % 3 = 1 or x > 20",
        "p < 'north-americb' or x = 1",
        "p <=> 'north-america' or x > 20",
        "p in ('asia', 'a region with a very long name', 'antarctica and around') or x > 15",
        "p not in ('asia', 'a region with a very long name', 'antarctica and around') or x > 15",
        "p like '%a%' or x > 5",
        "p like 'n_rth-%a' or x > 5",
        "p like '%a region with % name' or x > 20",
        "startswith(p, 'north-america and south') or endswith(p, 'america') or x = 3",
        "contains(p, 'a region with a very long') or x = 3",
        "length(p) > x",
        "octet_length(p) > x and id > 100",
        "ascii(p) + x > 115",
        "position('america' in p) > x",
        "locate('a region with a very', p) = 1 or x = 4",
        "substring(p, x, 3) = 'ame'",
        "trim('an', p) = 'orth-americ' or x = 7",
        "p > s",
        "p = s or concat('text number ', x) = s",
        "case when p = 'north-america' then x > 5 else x < 5 end",
        "case when x > 5 then p end = 'north-america'",
        "if(x > 5, p, null) like '%america'",
        "coalesce(p, 'none of the regions') = 'none of the regions' or x > 20",
        "p is null and x > 4 or length(p) = x",
        "length(p) = x and s like '%1%'",
        "s like '%7' and (p like '%america%' or s like '%17')"
      })
  void partitionsMatchSpark(String filter) {
    check("select id, x, p, s from regions where " + filter);
    check("select count(*), sum(id), max(s) from regions where " + filter);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "_metadata.file_name like '%a%' or x > 5",
        "_metadata.file_name like '%.parquet' and x > 5",
        "length(_metadata.file_name) > x",
        "_metadata.file_name > s",
        "_metadata.file_path like '%america%' or x > 20",
        "case when _metadata.file_path like '%america%' then x > 5 else x < 5 end"
      })
  void filesOfRowsMatchSpark(String filter) {
    check("select id, x, s from regions where " + filter);
    check("select id, _metadata.file_name, s from regions where " + filter);
  }

  @Test
  void defaultsOfColumnsMatchSpark() {
    session.sql("create table defaults (id bigint, x int) using parquet");
    session.sql("insert into defaults select id, x from numbers where id < 500");
    session.sql("alter table defaults add column c string default 'a default of many bytes'");
    session.sql("insert into defaults select id, x, p from numbers where id >= 2500");
    for (String filter :
        new String[] {
          "c = 'asia' or x > 5",
          "c = 'a default of many bytes' or x > 5",
          "c like '%many%' and x > 5",
          "length(c) > x",
          "case when c = 'asia' then x > 5 else x < 5 end",
          "c in ('asia', 'a default of many bytes')",
          "c not in ('asia', 'a default of few bytes')",
          "c is null or x = 1",
          "upper(c) = 'ASIA' or x > 20"
        }) {
      check("select id, x, c from defaults where " + filter);
      check("select id, x from defaults where " + filter);
    }
  }
}
