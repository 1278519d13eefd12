package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.TestingSessions;
import io.ariadne.testing.InEveryBuild;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver and two executors, each a process, given the plugin jar as a user gives it. */
@InEveryBuild
class LocalClusterSmokeIT {
  private static final Pattern CHECK =
      Pattern.compile(
          "^CHECK (\\S+) (\\S+) operators=(\\d+) joins=(\\d+) loops=(\\d+)$", Pattern.MULTILINE);

  private static LocalCluster cluster;

  @TempDir Path folder;

  @BeforeAll
  static void layOutSpark(@TempDir Path home) throws IOException {
    cluster = LocalCluster.create(home);
  }

  @Test
  void jarAndPluginSettingAreEnough() throws Exception {
    String output = submit(List.of(), ""); // with all of the JVM's compilers
    assertChecks(output);
    assertEquals(
        3,
        count(output, "Plugin: Ariadne \\S+ for Spark \\S+, (driver|executor): "),
        startUpLines(output));
    String where = TestingSessions.isSpark35() ? "own manager" : "map outputs in memory";
    assertEquals(3, count(output, "Plugin: Ariadne .*" + where), startUpLines(output));
  }

  @Test
  void runsWithKryoAndWithoutAdaptiveExecution() throws Exception {
    assertChecks(
        submit(
            List.of(
                "spark.serializer=org.apache.spark.serializer.KryoSerializer",
                "spark.sql.adaptive.enabled=false"),
            LocalCluster.shortQueries()));
  }

  private static void assertChecks(String output) {
    Matcher matcher = CHECK.matcher(output);
    int checks = 0;
    while (matcher.find()) {
      checks++;
      assertEquals("equal", matcher.group(2), matcher.group(1) + " in\n" + output);
      assertTrue(
          Integer.parseInt(matcher.group(3)) > 0,
          matcher.group(1) + " ran nothing on Ariadne:\n" + output);
    }
    assertEquals(9, checks, output);
    assertTrue(
        Pattern.compile("CHECK full-broadcast-loop equal operators=\\d+ joins=1 loops=0")
            .matcher(output)
            .find(),
        output);
  }

  private static String startUpLines(String output) {
    return "start-up lines:\n"
        + String.join("\n", output.lines().filter(l -> l.contains("Ariadne")).toList());
  }

  private static int count(String output, String regex) {
    return (int) Pattern.compile(regex).matcher(output).results().count();
  }

  private String submit(List<String> settings, String jvmOptions)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(settings);
    all.add("spark.sql.shuffle.partitions=3");
    return cluster.submit(ClusterApplication.class, folder, all, jvmOptions);
  }
}
