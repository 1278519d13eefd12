package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.junit.jupiter.api.Test;

/** What becomes of an exchange whose files are damaged: its map tasks run again. */
class ExchangeFailureIT extends AbstractDifferentialIT {
  /** Within the first block of a file: behind what precedes it in the stream, and its header. */
  private static final int DAMAGED_BYTE = 60;

  /** Without compression Spark sees no damage by itself. */
  @Override
  Map<String, String> settings() {
    return with(
        with(super.settings(), "spark.shuffle.compress", "false"),
        "spark.local.dir",
        folder.resolve("local").toString());
  }

  @Test
  void testDamagedBlockIsComputedAgain() throws IOException {
    session.conf().set("spark.sql.adaptive.enabled", "false");
    Dataset<Row> query = session.sql("select id % 997 k, max(c1) from edge group by id % 997");
    RDD<InternalRow> rows = query.queryExecution().toRdd();
    long expected = rows.count();
    assertTrue(
        ExecutedPlan.of(query.queryExecution().executedPlan())
            .named("AriadneShuffleExchange")
            .get(0)
            .hasRun());
    List<Path> files = shuffleFiles();
    damage(files.get(0));
    assertEquals(expected, rows.count());
    assertTrue(shuffleFiles().size() > files.size(), "no map task ran again");
  }

  private static List<Path> shuffleFiles() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("local"))) {
      return all.filter(file -> file.getFileName().toString().matches("shuffle_.*\\.data"))
          .sorted()
          .toList();
    }
  }

  private static void damage(Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(DAMAGED_BYTE);
      int before = file.read();
      file.seek(DAMAGED_BYTE);
      file.write(before ^ 1);
    }
  }
}
