package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.it.sql.TestingSessions;
import io.ariadne.shuffle.transport.ucx.UcxLibrary;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The network check measures both ways between two executors. */
class NetworkCheckSmokeIT {
  @TempDir Path home;
  @TempDir Path folder;

  @Test
  void measuresEveryPair() throws Exception {
    measure("tcp");
  }

  @Test
  void measuresEveryPairOverUcx() throws Exception {
    UcxLibrary.reasonAgainst().ifPresent(reason -> Assumptions.abort(reason));
    measure("ucx");
  }

  private void measure(String transport) throws Exception {
    // Spark 3.5 makes its shuffle manager before it has fetched the plugin's jar.
    Assumptions.assumeFalse(TestingSessions.isSpark35());
    String output =
        LocalCluster.create(home)
            .submit(
                NetworkCheckApplication.class,
                folder,
                List.of(
                    "spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager",
                    "spark.ariadne.shuffle.transport=" + transport,
                    "spark.authenticate=true",
                    "spark.authenticate.secret=for this test",
                    "spark.network.crypto.enabled=true"));
    Pattern pair =
        Pattern.compile(
            "(?m)^[01] at \\S+ +[01] at \\S+ +[\\d.]+ ms +\\d+ MB/s +" + transport + ", AES$");
    assertEquals(2, pair.matcher(output).results().count(), output);
    assertFalse(output.contains("instead of UCX"), output);
    assertFalse(output.contains("- set"), output);
  }
}
