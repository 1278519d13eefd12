package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An executor that is killed between two rounds takes groups with it, and changes no answer. */
class PartialResultsSmokeIT {
  private static final Pattern ROUNDS =
      Pattern.compile("ROUNDS count=(\\d+) last=(\\S+) killed=(\\d+) repeated=(\\d+)");

  private static LocalCluster cluster;

  @TempDir Path folder;

  @BeforeAll
  static void layOutSpark(@TempDir Path home) throws IOException {
    cluster = LocalCluster.createForOwnManager(home);
  }

  @Test
  void sameAnswerWithoutAnExecutor() throws Exception {
    String output =
        cluster.submit(
            PartialResultsApplication.class,
            folder,
            List.of("spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager"));
    Matcher rounds = ROUNDS.matcher(output);
    assertTrue(rounds.find(), output);
    assertEquals("8", rounds.group(1), output);
    assertEquals("equal", rounds.group(2), output);
    assertEquals("1", rounds.group(3), output);
    assertTrue(Integer.parseInt(rounds.group(4)) > 0, "no stage ran again:\n" + output);
  }
}
