package io.ariadne.shuffle.transport;

import java.util.Objects;

/**
 * Where another executor serves its blocks.
 *
 * @param executor Spark's id of the executor
 * @param host its name or address
 * @param port its port, 1 to 65535
 */
public record Peer(String executor, String host, int port) {
  private static final int MAX_PORT = 65_535;

  /** Checks the port. */
  public Peer {
    Objects.requireNonNull(executor, "executor is null");
    Objects.requireNonNull(host, "host is null");
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("port " + port + " of executor " + executor);
    }
  }

  @Override
  public String toString() {
    return "executor " + executor + " at " + host + ":" + port;
  }
}
