package io.ariadne.it.golden;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.TestingSessions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Spark's own SQL tests about expressions and aggregates, with Ariadne taking over whatever it can,
 * against the answers that Spark's developers recorded. {@code -Dariadne.it.golden=all} runs all
 * files that Spark itself answers as recorded in this harness, {@code
 * -Dariadne.it.golden=cast.sql,nonansi/} those whose names begin so.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoldenIT {
  private static final String ZONE = "America/Los_Angeles";

  private static final String ASKED = System.getProperty("ariadne.it.golden", "");

  @TempDir static Path folder;

  private final GoldenCounts total = new GoldenCounts();
  private final TimeZone zone = TimeZone.getDefault();
  private SparkSession session;

  static Stream<String> files() {
    return GoldenSelection.of(GoldenSelection.root(), ASKED).stream();
  }

  @BeforeAll
  void start() {
    TimeZone.setDefault(TimeZone.getTimeZone(ZONE)); // as Spark's suite does
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.sql.session.timeZone", ZONE);
    settings.put("spark.sql.extensions", ColumnsForLiterals.class.getName());
    settings.put("spark.ariadne.disable", "TransitionCost");
    settings.put("spark.sql.codegen.wholeStage", "false"); // compiles what Spark keeps, for one row
    settings.put("spark.sql.shuffle.partitions", "2");
    settings.put("spark.sql.warehouse.dir", folder.resolve("warehouse").toString());
    settings.put("spark.sql.legacy.createHiveTableByDefault", "false");
    session = TestingSessions.start(settings);
    session.sparkContext().setLogLevel("OFF");
  }

  @ParameterizedTest
  @MethodSource("files")
  void answersAreThoseRecorded(String name) {
    long start = System.nanoTime();
    GoldenFile file = GoldenFile.read(GoldenSelection.root(), name);
    GoldenCounts counts = new GoldenCounts();
    List<String> differences =
        new GoldenRun(session.newSession(), counts, total)
            .run(file, file.mode(session.version().startsWith("4.")));
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.printf("%s: %s, %d ms, %d wrong%n", name, counts, millis, differences.size());
    assertTrue(differences.isEmpty(), () -> String.join("\n\n", differences));
  }

  @AfterEach
  void assertNothingIsLive() {
    TestingSessions.assertNothingIsLive();
  }

  @AfterAll
  void stop() {
    System.out.println("all files: " + total);
    System.out.println("by kernels: " + total.kernels());
    TimeZone.setDefault(zone);
    TestingSessions.stop(session);
    if (ASKED.isEmpty()) {
      GoldenSelection.checkUsual(total);
    }
  }
}
