package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strategies that copy map outputs before reduce tasks ask for them change no answer. */
class ShuffleStrategySmokeIT {
  private static LocalCluster cluster;

  @TempDir Path folder;

  @BeforeAll
  static void layOutSpark(@TempDir Path home) throws IOException {
    cluster = LocalCluster.createForOwnManager(home);
  }

  @ParameterizedTest
  @ValueSource(strings = {"merge", "push", "move"})
  void sameAnswers(String strategy) throws Exception {
    String output =
        cluster.submit(
            ShuffleStrategyApplication.class,
            folder,
            List.of(
                "spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager",
                "spark.ariadne.shuffle.strategy=" + strategy,
                "spark.ariadne.runtimeFilter.minSize=0",
                "spark.sql.autoBroadcastJoinThreshold=-1",
                "spark.sql.files.maxPartitionBytes=1m",
                "spark.sql.shuffle.partitions=23"));
    assertEquals(ShuffleStrategyApplication.CHECKS, count(output, "CHECK \\S+ equal"), output);
    assertFalse(output.contains("map outputs are not merged"), output);
    assertTrue(count(output, "map outputs are merged here") > 0, output);
    assertTrue(count(output, "READ divided skewed") > 0, output);
    assertTrue(count(output, "READ local local") > 0, output);
    checkMetrics(strategy, output);
    int exchanges = count(output, "\nEXCHANGE ");
    assertTrue(exchanges > 0, output);
    assertEquals(
        exchanges,
        count(output, "\nEXCHANGE .*\\[strategy: " + strategy + ", because the settings say so\\]"),
        output);
  }

  /** What exchanges show in Spark's SQL tab; those of Spark's own have none of this. */
  private static void checkMetrics(String strategy, String output) {
    for (String query : List.of("aggregation", "join", "range")) {
      long received = metric(output, query, "transportBytesRead");
      assertEquals(metric(output, query, "remoteBytesRead"), received, output);
      assertTrue(metric(output, query, "transportPlainBytesRead") >= received, output);
      assertTrue(received > 0 || !strategy.equals("merge"), output);
      assertEquals(received > 0, metric(output, query, "transportRequestTime") > 0, output);
      assertTrue(metric(output, query, "mergedBytesRead") > 0, output);
    }
    assertTrue(metric(output, "filtered", "numFilteredRows") > 0, output);
    for (String query : List.of("join", "range")) {
      long rows = metric(output, query, "shuffleRecordsWritten");
      assertTrue(rows >= ShuffleStrategyApplication.ROWS, () -> rows + " rows in " + output);
    }
  }

  private static long metric(String output, String query, String name) {
    Matcher matcher =
        Pattern.compile("EXCHANGES " + query + " .*\\b" + name + "=(\\d+)").matcher(output);
    assertTrue(matcher.find(), () -> name + " of " + query + " in " + output);
    return Long.parseLong(matcher.group(1));
  }

  private static int count(String output, String regex) {
    return (int) Pattern.compile(regex).matcher(output).results().count();
  }
}
