package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.TestingSessions;
import io.ariadne.shuffle.transport.ucx.UcxLibrary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An executor that is killed in the middle of a shuffle changes no answer, and only the map tasks
 * whose outputs it had run again.
 */
class LostExecutorSmokeIT {
  private static final Pattern LOST =
      Pattern.compile("LOST executors=(\\d+) maps=(\\d+) lost=(\\d+) again=(\\d+) needless=(\\d+)");

  private static final Pattern CHECK =
      Pattern.compile("CHECK lost-executor (\\S+) operators=(\\d+)");

  private static final String MANAGER =
      "spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager";

  private static LocalCluster cluster;

  @TempDir Path folder;

  @BeforeAll
  static void layOutSpark(@TempDir Path home) throws IOException {
    cluster = LocalCluster.create(home);
  }

  /** With Ariadne's shuffle manager on the one line of Spark, and with Spark's own on the other. */
  @Test
  void sameAnswer() throws Exception {
    boolean isInMemory = !TestingSessions.isSpark35();
    String manager =
        isInMemory
            ? MANAGER
            : "spark.shuffle.manager=org.apache.spark.shuffle.sort.SortShuffleManager";
    loseExecutor(List.of(manager, "spark.sql.adaptive.enabled=" + isInMemory));
  }

  /** Copies of other executors' outputs are lost too, and no map task runs again for them. */
  @Test
  void sameAnswerWhenPushed() throws Exception {
    Assumptions.assumeFalse(TestingSessions.isSpark35());
    String output = loseExecutor(List.of(MANAGER, "spark.ariadne.shuffle.strategy=push"));
    assertTrue(output.contains("map outputs are merged here"), output);
  }

  /** Over UCX where the machine has it. */
  @Test
  void sameAnswerWhenMerged() throws Exception {
    Assumptions.assumeFalse(TestingSessions.isSpark35());
    boolean isUcx = UcxLibrary.reasonAgainst("127.0.0.1").isEmpty();
    String output =
        loseExecutor(
            List.of(
                MANAGER,
                "spark.ariadne.shuffle.strategy=merge",
                "spark.ariadne.memory.size=64m", // of which a sixteenth is merged at once
                "spark.ariadne.shuffle.transport=" + (isUcx ? "ucx" : "tcp")));
    assertTrue(output.contains("map outputs are merged here"), output);
    assertTrue(!isUcx || output.contains("moved over UCX"), output);
  }

  private String loseExecutor(List<String> settings) throws Exception {
    List<String> all = new ArrayList<>(settings);
    all.add("spark.sql.adaptive.coalescePartitions.enabled=false");
    all.add("spark.sql.autoBroadcastJoinThreshold=-1");
    all.add("spark.sql.shuffle.partitions=150");
    String output = cluster.submit(LostExecutorApplication.class, folder, all);
    Matcher check = find(CHECK, output);
    assertEquals("equal", check.group(1), output);
    assertTrue(Integer.parseInt(check.group(2)) > 0, "nothing ran on Ariadne:\n" + output);
    Matcher lost = find(LOST, output);
    assertEquals("1", lost.group(1), output);
    int count = Integer.parseInt(lost.group(3));
    assertTrue(count > 0 && count < Integer.parseInt(lost.group(2)), lost.group() + output);
    assertTrue(Integer.parseInt(lost.group(4)) > 0, "no map task ran again:\n" + output);
    assertEquals("0", lost.group(5), () -> lost.group() + ", too many ran again:\n" + output);
    return output;
  }

  private static Matcher find(Pattern pattern, String output) {
    Matcher matcher = pattern.matcher(output);
    assertTrue(matcher.find(), output);
    return matcher;
  }
}
