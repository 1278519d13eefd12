package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
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
  void filesElsewhereMatchSpark() {
    session
        .range(0, 5000, 1, 4)
        .selectExpr("id", "concat('value ', id % 700) as s", "id % 3 as p")
        .write()
        .option("parquet.block.size", "5000")
        .partitionBy("p")
        .parquet(address("remote files"));
    session.read().parquet(remote("remote files")).createOrReplaceTempView("remote");
    long before = SchemedFileSystem.openedCount();
    check("select * from remote");
    check("select count(*), sum(id), min(s), p from remote where id > 100 group by p");
    check("select id from remote where p = 1 and s = 'value 5'");
    assertTrue(SchemedFileSystem.openedCount() > before, "no file was opened through Hadoop");
    check("select _x.s from (select s from remote where id < 20) _x");
    assertTrue(SchemedFileSystem.positionedReadCount() > 0, "no read at a position");
  }

  /** Files that may be whole are never passed over, whatever is said about damaged ones. */
  @Test
  void filesThatAreNotHandedOut() throws IOException {
    session.range(0, 600, 1, 3).write().parquet(address("partly-refused"));
    List<Path> files;
    try (Stream<Path> found = Files.list(folder.resolve("partly-refused"))) {
      files = found.filter(f -> f.getFileName().toString().startsWith("part-")).sorted().toList();
    }
    Path refused = files.get(1);
    Files.move(refused, refused.resolveSibling("part-" + SchemedFileSystem.REFUSED + ".parquet"));
    session
        .read()
        .schema("id bigint")
        .parquet(remote("partly-refused"))
        .createOrReplaceTempView("partly_refused");
    for (String ignored : List.of("false", "true")) {
      Map<String, String> settings =
          Map.of(
              "spark.sql.files.ignoreCorruptFiles", ignored,
              "spark.sql.files.ignoreMissingFiles", ignored);
      Outcome ours = checked("select count(id), sum(id) from partly_refused", settings);
      assertTrue(ours.error() != null, ours::toString);
    }
  }

  private String remote(String name) {
    return address(name).replaceFirst("^file:/*", SchemedFileSystem.SCHEME + ":///");
  }
}
