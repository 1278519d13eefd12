package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.rules.ExecutedPlan;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Damages the files of an exchange: its map tasks run again. */
class ExchangeFailureIT extends AbstractDifferentialIT {
  /** Within the first block of a file: behind what precedes it in the stream, and its header. */
  private static final int DAMAGED_BYTE = 60;

  private static final int PARTITIONS = 7;

  /** Rows of an aggregation, so that a repeated map task may read them in another order. */
  static final String ROUND_ROBIN =
      "select /*+ REPARTITION(%d) */ * from (select id %% 997 k, max(c1) m, count(*) c from edge"
              .formatted(PARTITIONS)
          + " group by id % 997)";

  /** Without compression Spark sees no damage by itself. */
  @Override
  Map<String, String> settings() {
    return with(
        with(super.settings(), "spark.shuffle.compress", "false"),
        "spark.local.dir",
        folder.resolve("local").toString());
  }

  @Test
  void damagedBlockIsComputedAgain() throws IOException {
    session.conf().set("spark.sql.adaptive.enabled", "false");
    Dataset<Row> query = session.sql("select id % 997 k, max(c1) from edge group by id % 997");
    List<String> expected = RowTexts.sorted(query);
    assertExchangeOfOursHasRun(query);
    List<Path> files = shuffleFiles();
    for (Path file : files) { // also of exchanges that made the tables
      damage(file);
    }
    assertEquals(expected, RowTexts.sorted(query));
    // Spark may have removed files of unreachable exchanges.
    assertTrue(
        shuffleFiles().stream().anyMatch(file -> !files.contains(file)), "no map task ran again");
  }

  /**
   * Reducers before the fifth have read round-robin partitions when a damaged block is found: the
   * map tasks run again, for the reducers that are left, and each row comes once.
   */
  @Test
  void eachRowOfARoundRobinExchangeArrivesOnce() throws IOException, TimeoutException {
    session.conf().set("spark.sql.adaptive.enabled", "false");
    Dataset<Row> query = session.sql(ROUND_ROBIN);
    List<String> expected = RowTexts.sorted(query);
    assertExchangeOfOursHasRun(query);
    int damaged = 0;
    for (Path file : shuffleFiles()) {
      damaged += damageBlock(file) ? 1 : 0;
    }
    assertTrue(damaged > 0);
    Attempts attempts = new Attempts();
    session.sparkContext().addSparkListener(attempts);
    assertEquals(expected, RowTexts.sorted(query));
    session.sparkContext().listenerBus().waitUntilEmpty();
    session.sparkContext().removeSparkListener(attempts);
    assertTrue(attempts.havePartlyRunAgain(PARTITIONS), attempts.tasks::toString);
  }

  /** How many tasks the attempts of stages have. */
  private static final class Attempts extends SparkListener {
    private final Map<Integer, List<Integer>> tasks = new ConcurrentHashMap<>();

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted begin) {
      tasks
          .computeIfAbsent(begin.stageInfo().stageId(), id -> new CopyOnWriteArrayList<>())
          .add(begin.stageInfo().numTasks());
    }

    /** Returns whether of a stage of so many tasks fewer have run again. */
    boolean havePartlyRunAgain(int all) {
      return tasks.values().stream()
          .anyMatch(
              each -> each.get(0) == all && each.size() > 1 && each.get(each.size() - 1) < all);
    }
  }

  private static void assertExchangeOfOursHasRun(Dataset<Row> query) {
    assertTrue(
        ExecutedPlan.of(query.queryExecution().executedPlan())
            .named("AriadneShuffleExchange")
            .get(0)
            .hasRun());
  }

  private static List<Path> shuffleFiles() throws IOException {
    return files("shuffle_.*\\.data");
  }

  private static List<Path> files(String name) throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("local"))) {
      return all.filter(file -> file.getFileName().toString().matches(name)).sorted().toList();
    }
  }

  private static void damage(Path path) throws IOException {
    damage(path, DAMAGED_BYTE);
  }

  /** Damages the last block but one of a map task with so many partitions; returns if it is one. */
  private static boolean damageBlock(Path path) throws IOException {
    List<Path> index = files(path.getFileName().toString().replaceFirst("data$", "index"));
    if (index.isEmpty()) {
      return false; // of a shuffle that is gone
    }
    ByteBuffer offsets = ByteBuffer.wrap(Files.readAllBytes(index.get(0)));
    if (offsets.limit() != (PARTITIONS + 1) * Long.BYTES) {
      return false;
    }
    long block = offsets.getLong((PARTITIONS - 2) * Long.BYTES);
    damage(path, block + DAMAGED_BYTE);
    return true;
  }

  private static void damage(Path path, long position) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      if (file.length() <= position) {
        return;
      }
      file.seek(position);
      int before = file.read();
      file.seek(position);
      file.write(before ^ 1);
    }
  }
}
