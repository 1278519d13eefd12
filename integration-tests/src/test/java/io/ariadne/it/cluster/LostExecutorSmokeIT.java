package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.TestingSessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An executor that is killed in the middle of a shuffle costs time, and changes no answer. */
class LostExecutorSmokeIT {
  private static final Pattern LOST = Pattern.compile("LOST executors=(\\d+) repeated=(\\d+)");
  private static final Pattern CHECK =
      Pattern.compile("CHECK lost-executor (\\S+) operators=(\\d+)");

  private static LocalCluster cluster;

  @TempDir Path folder;

  @BeforeAll
  static void layOutSpark(@TempDir Path home) throws IOException {
    cluster = LocalCluster.create(home);
  }

  /** With Ariadne's shuffle manager on the one line of Spark, and with Spark's own on the other. */
  @Test
  void sameAnswer() throws Exception {
    boolean isKept = !TestingSessions.isSpark35();
    String manager =
        isKept
            ? "io.ariadne.shuffle.AriadneShuffleManager"
            : "org.apache.spark.shuffle.sort.SortShuffleManager";
    String output =
        cluster.submit(
            LostExecutorApplication.class,
            folder,
            List.of(
                "spark.shuffle.manager=" + manager,
                "spark.sql.adaptive.enabled=" + isKept,
                "spark.sql.adaptive.coalescePartitions.enabled=false",
                "spark.sql.autoBroadcastJoinThreshold=-1",
                "spark.sql.shuffle.partitions=150"));
    Matcher check = find(CHECK, output);
    assertEquals("equal", check.group(1), output);
    assertTrue(Integer.parseInt(check.group(2)) > 0, "nothing ran on Ariadne:\n" + output);
    Matcher lost = find(LOST, output);
    assertEquals("1", lost.group(1), output);
    assertTrue(Integer.parseInt(lost.group(2)) > 0, "no stage ran again:\n" + output);
  }

  private static Matcher find(Pattern pattern, String output) {
    Matcher matcher = pattern.matcher(output);
    assertTrue(matcher.find(), output);
    return matcher;
  }
}
