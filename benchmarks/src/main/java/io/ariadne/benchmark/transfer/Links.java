package io.ariadne.benchmark.transfer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Links between this machine and network namespaces of its own, each with a token bucket ({@code tc
 * tbf}) for what comes from there. Needs Linux, {@code ip} and {@code tc} of iproute2, and the
 * right to make namespaces. Closing it removes them, and so does the end of the process by a signal
 * such as that of Ctrl-C. Thread-safe.
 */
public final class Links implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 20;
  private static final int MEGA = 1_000_000;
  private static final int BITS = 8;

  /** Bytes that pass at once: those of this time at the link's rate. */
  private static final double BURST_SECONDS = 0.004;

  private static final long MIN_BURST_BYTES = 64 << 10;
  private static final String QUEUE_TIME = "50ms";

  private final String prefix = "ari" + ProcessHandle.current().pid() % 100_000;

  @GuardedBy("this")
  private final List<Link> links = new ArrayList<>();

  private final Thread removal = new Thread(this::closeAtExit, prefix + "-removal");

  /** Makes no link yet. */
  public Links() {
    Runtime.getRuntime().addShutdownHook(removal);
  }

  /**
   * One link.
   *
   * @param namespace the name of the other end; empty for the loopback device, which has no rate
   * @param host the address of this end
   * @param peer the address of the other end
   */
  public record Link(String namespace, String host, String peer) {
    /** Returns the command line that starts a program at the other end. */
    List<String> command(List<String> program) {
      List<String> command = new ArrayList<>();
      if (!namespace.isEmpty()) {
        command.addAll(List.of("ip", "netns", "exec", namespace));
      }
      command.addAll(program);
      return command;
    }
  }

  /** The loopback device. */
  static final Link LOOPBACK = new Link("", "127.0.0.1", "127.0.0.1");

  /**
   * Makes a link.
   *
   * @param megabitsPerSecond its rate; 0 for the loopback device
   * @throws IOException when that is not permitted, or a command is missing
   */
  public synchronized Link make(double megabitsPerSecond) throws IOException {
    if (megabitsPerSecond == 0) {
      return LOOPBACK;
    }
    int number = links.size();
    String namespace = prefix + "-" + number;
    String here = prefix + "h" + number;
    String there = prefix + "p" + number;
    Link link = new Link(namespace, "10.231." + number + ".1", "10.231." + number + ".2");
    run("ip netns add " + namespace);
    links.add(link);
    // The end in the namespace is made there, so that removing the namespace removes the pair.
    run("ip link add " + here + " type veth peer name " + there + " netns " + namespace);
    run("ip addr add " + link.host() + "/24 dev " + here);
    run("ip link set " + here + " up");
    String in = "ip netns exec " + namespace + " ";
    run(in + "ip addr add " + link.peer() + "/24 dev " + there);
    run(in + "ip link set " + there + " up");
    run(in + "ip link set lo up");
    long burst =
        Math.max(MIN_BURST_BYTES, (long) (megabitsPerSecond * MEGA / BITS * BURST_SECONDS));
    run(
        in
            + "tc qdisc add dev %s root tbf rate %dbit burst %d latency %s"
                .formatted(there, (long) (megabitsPerSecond * MEGA), burst, QUEUE_TIME));
    return link;
  }

  private static void run(String command) throws IOException {
    Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
    try {
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("'" + command + "' does not end");
      }
      if (process.exitValue() != 0) {
        throw new IOException("'" + command + "' failed: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in '" + command + "'", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Removes the namespaces, and the links with them. Idempotent. */
  @Override
  public void close() throws IOException {
    removeAll();
    try {
      Runtime.getRuntime().removeShutdownHook(removal);
    } catch (IllegalStateException e) {
      // The process ends, and the hook finds nothing.
    }
  }

  private void closeAtExit() {
    try {
      removeAll();
    } catch (IOException e) {
      System.err.println("a network namespace is left: " + e.getMessage());
    }
  }

  private synchronized void removeAll() throws IOException {
    IOException failure = null;
    for (Link link : links) {
      try {
        run("ip netns delete " + link.namespace());
      } catch (IOException e) {
        failure = e;
      }
    }
    links.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
