package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of transports over a slow link: in a process of its own, whose network namespace has
 * a loopback device with small packets and {@code tc tbf}. Skipped where the machine does not
 * permit that.
 */
@Timeout(300)
class TestTransportsOverShapedLink {
  private static final int MEGABITS = 400;

  /** Fewer tests than the contract has, so that an empty run is noticed. */
  private static final int MIN_TESTS = 15;

  private static final Pattern RESULT = Pattern.compile("TESTS (\\d+) (\\d+) (\\d+)");

  private static final String SHAPED =
      "ip link set lo mtu 1500 up"
          + " && tc qdisc add dev lo root tbf rate "
          + MEGABITS
          + "mbit burst 64kb latency 200ms"
          + " && exec \"$@\"";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "netty.TestTcpTransport",
        "netty.TestAuthenticatedTcpTransport",
        "netty.TestTlsTcpTransport",
        "ucx.TestUcxTransport",
        "ucx.TestSealedUcxTransport"
      })
  void contractHolds(String suite) throws Exception {
    requireNamespaces();
    List<String> java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-Dariadne.memory.trackAllocations=true",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            ShapedLinkMain.class.getName(),
            ShapedLinkMain.class.getPackageName() + "." + suite);
    Run run = run(java);
    Matcher result = RESULT.matcher(run.output);
    assertTrue(result.find(), run.output);
    assertEquals(0, Integer.parseInt(result.group(2)), run.output);
    boolean mayBeMissing = suite.startsWith("ucx.") || suite.contains("Tls");
    boolean isSkipped = !result.group(3).equals("0");
    Assumptions.assumeFalse(
        isSkipped && mayBeMissing, "the machine has no UCX, or this Spark no TLS");
    assertFalse(isSkipped, run.output);
    assertTrue(Integer.parseInt(result.group(1)) >= MIN_TESTS, run.output);
  }

  /** The link of the other tests is slow: else they would prove nothing. */
  @Test
  void theLinkIsShaped() throws Exception {
    requireNamespaces();
    Run run = run(List.of("tc", "-s", "qdisc", "show", "dev", "lo"));
    assertTrue(run.output.contains("tbf") && run.output.contains(MEGABITS + "Mbit"), run.output);
  }

  private void requireNamespaces() throws Exception {
    Run run;
    try {
      run = run(List.of("true"));
    } catch (IOException e) {
      Assumptions.abort("no program unshare: " + e.getMessage());
      return;
    }
    Assumptions.assumeTrue(
        run.status == 0, "no network namespace with tc tbf is permitted: " + run.output.strip());
  }

  /**
   * A process that has ended.
   *
   * @param status its exit status
   * @param output what it has printed
   */
  private record Run(int status, String output) {}

  /** Runs a program in a new network namespace. */
  private Run run(List<String> program) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("unshare", "-n", "sh", "-c", SHAPED, "sh"));
    command.addAll(program);
    Path log = folder.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("UCX_TLS", "tcp,self");
    builder.environment().put("UCX_NET_DEVICES", "lo");
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(4, TimeUnit.MINUTES), () -> "no end:\n" + read(log));
    } finally {
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), read(log));
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
