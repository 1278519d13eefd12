package io.ariadne.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors that authenticate send nothing to a program without the secret. */
class PortScanSmokeIT {
  private static final int NOISE_BYTES = 65_536;

  @TempDir Path home;
  @TempDir Path folder;

  private record Scanned(int ports, long bytes, int open) {}

  @Test
  void tellsStrangersNothing() throws Exception {
    Scanned scanned =
        scan(
            List.of(
                "spark.authenticate=true",
                "spark.authenticate.secret=for this test",
                "spark.network.crypto.enabled=true",
                "spark.network.auth.rpcTimeout=3s"));
    assertEquals(new Scanned(2, 0, 0), scanned);
  }

  /** The same request is right where no secret is needed. */
  @Test
  void answersWithoutAuthentication() throws Exception {
    Scanned scanned = scan(List.of());
    assertEquals(2, scanned.ports());
    assertTrue(scanned.bytes() > scanned.ports() * NOISE_BYTES, scanned.toString());
  }

  private Scanned scan(List<String> security) throws Exception {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager",
                "spark.ariadne.shuffle.port=" + freePort()));
    settings.addAll(security);
    String output =
        LocalCluster.createForOwnManager(home).submit(PortScanApplication.class, folder, settings);
    Matcher found =
        Pattern.compile("SCANNED ports=(\\d+) bytes=(\\d+) open=(\\d+)").matcher(output);
    assertTrue(found.find(), output);
    output.lines().filter(line -> line.contains("bytes sent,")).forEach(System.out::println);
    return new Scanned(
        Integer.parseInt(found.group(1)),
        Long.parseLong(found.group(2)),
        Integer.parseInt(found.group(3)));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return Math.min(socket.getLocalPort(), 65_000);
    }
  }
}
