package io.ariadne.it.sql;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A session with the plugin on two cores and the edge tables as views: {@code empty}, {@code one},
 * {@code small} (33 rows) and {@code single} and {@code edge} (3000 rows in one and in three
 * files). The seed is printed; {@code -Dariadne.test.seed=N} replays it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractDifferentialIT {
  static final Map<String, String> LEGACY = Map.of("spark.sql.ansi.enabled", "false");
  static final Map<String, String> ANSI = Map.of("spark.sql.ansi.enabled", "true");

  @TempDir static Path folder;

  SparkSession session;
  Differential differential;
  long seed;

  @BeforeAll
  void start() {
    seed = Long.getLong("ariadne.test.seed", new Random().nextLong());
    System.out.println(getClass().getSimpleName() + ": -Dariadne.test.seed=" + seed);
    session = TestingSessions.start(settings());
    differential = new Differential(session);
    EdgeTables tables = new EdgeTables(seed);
    tables.register(session, "empty", folder.resolve("empty"), 0, 1);
    tables.register(session, "one", folder.resolve("one"), 1, 1);
    tables.register(session, "small", folder.resolve("small"), 33, 1);
    tables.register(session, "single", folder.resolve("single"), 3000, 1);
    tables.register(session, "edge", folder.resolve("edge"), 3000, 3);
  }

  /** The session's settings: with exchanges also where tables are small. */
  Map<String, String> settings() {
    return Map.of("spark.ariadne.disable", "OnePartitionExec");
  }

  /** Writes rows as Parquet files and registers these as a view of the same name. */
  void writeView(String name, DataFrameWriter<Row> rows) {
    String path = folder.resolve(name).toUri().toString();
    rows.parquet(path);
    session.read().parquet(path).createOrReplaceTempView(name);
  }

  @AfterEach
  void assertNothingIsLive() {
    TestingSessions.assertNothingIsLive();
  }

  @AfterAll
  void stop() {
    TestingSessions.stop(session);
  }

  static Map<String, String> with(Map<String, String> base, String key, String value) {
    Map<String, String> settings = new LinkedHashMap<>(base);
    settings.put(key, value);
    return settings;
  }
}
