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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors whose devices are lost in the middle of a query cost retries, and change no answer. */
class LostGpuSmokeIT {
  private static final Pattern GPU = Pattern.compile("GPU lost=(\\d+) removed=(\\d+) added=(\\d+)");
  private static final Pattern CHECK = Pattern.compile("CHECK lost-gpu (\\S+) operators=(\\d+)");
  private static final String LOST = "the simulated device is lost: ";

  private static LocalCluster cluster;

  @TempDir Path folder;

  @BeforeAll
  static void layOutSpark(@TempDir Path home) throws IOException {
    cluster = LocalCluster.create(home);
  }

  private String submit(String onFatalError) throws Exception {
    String output =
        cluster.submit(
            LostGpuApplication.class,
            folder,
            List.of(
                "spark.ariadne.backend=simulated",
                "spark.ariadne.gpu.onFatalError=" + onFatalError));
    Matcher check = find(CHECK, output);
    assertEquals("equal", check.group(1), output);
    assertTrue(Integer.parseInt(check.group(2)) > 0, "nothing ran on Ariadne:\n" + output);
    return output;
  }

  @Test
  void executorsContinueOnTheHost() throws Exception {
    String output = submit("fallback");
    Matcher gpu = find(GPU, output);
    int lost = Integer.parseInt(gpu.group(1));
    assertTrue(lost > 0, output);
    assertEquals("0", gpu.group(2), output);
    assertTrue(output.contains("later tasks run on the host's kernels"), output);
    assertFalse(output.contains("the executor exits"), output);
  }

  @Test
  void executorsAreReplaced() throws Exception {
    String output = submit("exit");
    Matcher gpu = find(GPU, output);
    assertEquals("0", gpu.group(1), output);
    int removed = Integer.parseInt(gpu.group(2));
    assertTrue(removed > 0, output);
    assertTrue(Integer.parseInt(gpu.group(3)) >= removed, output);
    assertTrue(
        Pattern.compile(
                LOST + ".*; the executor exits with status 20 \\(spark.ariadne.gpu.onFatalError")
            .matcher(output)
            .find(),
        output);
  }

  private static Matcher find(Pattern pattern, String output) {
    Matcher matcher = pattern.matcher(output);
    assertTrue(matcher.find(), output);
    return matcher;
  }
}
