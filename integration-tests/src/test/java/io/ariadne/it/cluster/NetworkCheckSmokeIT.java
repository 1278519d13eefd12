package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.shuffle.transport.ucx.UcxLibrary;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The network check measures both ways between all executors. */
class NetworkCheckSmokeIT {
  @TempDir Path home;
  @TempDir Path folder;

  @Test
  void measuresEveryPair() throws Exception {
    measure("tcp", 3);
  }

  @Test
  void measuresEveryPairOverUcx() throws Exception {
    UcxLibrary.reasonAgainst("127.0.0.1").ifPresent(reason -> Assumptions.abort(reason));
    measure("ucx", 2);
  }

  private void measure(String transport, int executors) throws Exception {
    String output =
        LocalCluster.createForOwnManager(home)
            .submit(
                NetworkCheckApplication.class,
                folder,
                List.of(
                    "spark.master=local-cluster[" + executors + ",1,1024]",
                    "spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager",
                    "spark.ariadne.shuffle.transport=" + transport,
                    "spark.authenticate=true",
                    "spark.authenticate.secret=for this test",
                    "spark.network.crypto.enabled=true"));
    Pattern pair =
        Pattern.compile(
            "(?m)^([012]) at \\S+ +([012]) at \\S+ +[\\d.]+ ms +\\d+ MB/s +"
                + transport
                + ", AES$");
    List<String> pairs =
        pair.matcher(output).results().map(found -> found.group(1) + found.group(2)).toList();
    assertEquals(executors * (executors - 1), pairs.size(), output);
    assertEquals(pairs.size(), Set.copyOf(pairs).size(), output);
    assertFalse(output.contains("instead of UCX"), output);
    assertFalse(output.contains("- set"), output);
  }
}
