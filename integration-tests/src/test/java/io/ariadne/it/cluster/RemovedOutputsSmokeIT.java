package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.ariadne.it.sql.TestingSessions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Map outputs that Spark removes from executors are computed again when they are wanted again. */
class RemovedOutputsSmokeIT {
  private static final Pattern REMOVED =
      Pattern.compile("REMOVED (\\S+) operators=(\\d+) stages=(\\d+)");

  @Test
  void sameAnswer(@TempDir Path home, @TempDir Path folder) throws Exception {
    assumeFalse(TestingSessions.isSpark35(), "nothing is removed there");
    String output = submit(LocalCluster.create(home), folder);
    Matcher removed = REMOVED.matcher(output);
    assertTrue(removed.find(), output);
    assertEquals("equal", removed.group(1), output);
    assertTrue(Integer.parseInt(removed.group(2)) > 0, "nothing ran on Ariadne:\n" + output);
    assertEquals("3", removed.group(3), "no outputs were removed:\n" + output);
  }

  private static String submit(LocalCluster cluster, Path folder)
      throws IOException, InterruptedException {
    return cluster.submit(
        RemovedOutputsApplication.class,
        folder,
        List.of(
            "spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager",
            "spark.sql.classic.shuffleDependency.fileCleanup.enabled=true",
            "spark.sql.adaptive.enabled=false",
            "spark.ariadne.disable=OnePartitionExec",
            "spark.sql.shuffle.partitions=3"));
  }
}
