package io.ariadne.it.scan;

import io.ariadne.testing.InEveryBuild;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests a small part of every feature of scans, on every Spark line. */
@InEveryBuild
class ScanSmokeIT extends AbstractScanIT {
  @Test
  void everyTypeWithAndWithoutFiltersMatchesSpark() {
    write(
        session.createDataFrame(
            new ArrayList<>(new TypeTable(random, 1).rows(1500)), TypeTable.SCHEMA),
        "types",
        Map.of("parquet.page.row.count.limit", "100"));
    view("types");
    check("select * from types");
    check("select * from types where int > 0 and required < 5");
    check("select id, str, ts from types where dec38 is null or double < 0");
  }

  @Test
  void partitionsMissingColumnsAndFileMetadataMatchSpark() {
    write(session.range(0, 50, 1, 1).selectExpr("id", "id * 2 as x"), "parts/p=1", Map.of());
    write(session.range(50, 99, 1, 1).selectExpr("id"), "parts/p=a%3Db", Map.of());
    view("parts", "id bigint, x bigint, p string");
    check("select * from parts");
    check("select p, count(*), sum(x) from parts where id > 10 group by p");
    check("select id, _metadata.file_name, p from parquet.`" + address("parts") + "`");
  }

  @Test
  void conversionsAndErrorsMatchSpark() {
    write(session.range(0, 20, 1, 1).selectExpr("cast(id as int) as c"), "ints", Map.of());
    for (String type : List.of("int", "bigint", "double", "decimal(12,2)", "string", "date")) {
      session
          .read()
          .schema("c " + type)
          .parquet(address("ints"))
          .createOrReplaceTempView("converted");
      check("select c from converted");
    }
  }
}
