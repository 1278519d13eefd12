package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Files in a file system that is not local: read through Hadoop's streams. */
class FileSystemsIT extends AbstractScanIT {
  @Override
  Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(super.settings());
    settings.put(
        "spark.hadoop.fs." + SchemedFileSystem.SCHEME + ".impl", SchemedFileSystem.class.getName());
    return settings;
  }

  @Test
  void testFilesElsewhere() {
    session
        .range(0, 5000, 1, 4)
        .selectExpr("id", "concat('value ', id % 700) as s", "id % 3 as p")
        .write()
        .option("parquet.block.size", "5000")
        .partitionBy("p")
        .parquet(address("remote files"));
    String remote =
        address("remote files").replaceFirst("^file:/*", SchemedFileSystem.SCHEME + ":///");
    session.read().parquet(remote).createOrReplaceTempView("remote");
    long before = SchemedFileSystem.openedCount();
    check("select * from remote");
    check("select count(*), sum(id), min(s), p from remote where id > 100 group by p");
    check("select id from remote where p = 1 and s = 'value 5'");
    assertTrue(SchemedFileSystem.openedCount() > before, "no file was opened through Hadoop");
    check("select _x.s from (select s from remote where id < 20) _x");
  }
}
