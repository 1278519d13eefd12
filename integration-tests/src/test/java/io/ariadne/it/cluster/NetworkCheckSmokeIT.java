package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.it.sql.TestingSessions;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The network check measures both ways between two executors. */
class NetworkCheckSmokeIT {
  private static final Pattern PAIR =
      Pattern.compile("(?m)^[01] at \\S+ +[01] at \\S+ +[\\d.]+ ms +\\d+ MB/s +tcp, AES$");

  @TempDir Path home;
  @TempDir Path folder;

  @Test
  void measuresEveryPair() throws Exception {
    // Spark 3.5 makes its shuffle manager before it has fetched the plugin's jar.
    Assumptions.assumeFalse(TestingSessions.isSpark35());
    String output =
        LocalCluster.create(home)
            .submit(
                NetworkCheckApplication.class,
                folder,
                List.of(
                    "spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager",
                    "spark.authenticate=true",
                    "spark.authenticate.secret=for this test",
                    "spark.network.crypto.enabled=true"));
    assertEquals(2, PAIR.matcher(output).results().count(), output);
    assertTrue(!output.contains("- set"), output);
  }
}
