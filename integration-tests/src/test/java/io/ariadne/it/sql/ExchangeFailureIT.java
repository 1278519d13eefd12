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
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
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
    List<String> expected = rows(query);
    assertTrue(
        ExecutedPlan.of(query.queryExecution().executedPlan())
            .named("AriadneShuffleExchange")
            .get(0)
            .hasRun());
    List<Path> files = shuffleFiles();
    for (Path file : files) { // also of exchanges that made the tables
      damage(file);
    }
    assertEquals(expected, rows(query));
    // Files of exchanges that nobody refers to may be gone by now.
    assertTrue(
        shuffleFiles().stream().anyMatch(file -> !files.contains(file)), "no map task ran again");
  }

  private static List<String> rows(Dataset<Row> query) {
    return query.collectAsList().stream().map(Row::toString).sorted().toList();
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
      if (file.length() <= DAMAGED_BYTE) {
        return;
      }
      file.seek(DAMAGED_BYTE);
      int before = file.read();
      file.seek(DAMAGED_BYTE);
      file.write(before ^ 1);
    }
  }
}
