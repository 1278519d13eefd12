package io.ariadne.benchmark.store;

/**
 * Latency and rates of a store.
 *
 * @param latencyMillis milliseconds from a request to the first byte of its response, at least
 * @param connectionBytesPerSecond bytes of responses per second on one connection, at most; 0 for
 *     no limit
 * @param totalBytesPerSecond bytes of responses per second on all connections, at most; 0 for no
 *     limit
 */
public record StoreShape(
    int latencyMillis, long connectionBytesPerSecond, long totalBytesPerSecond) {
  /** As fast as this machine. */
  public static final StoreShape UNLIMITED = new StoreShape(0, 0, 0);

  /** Checks the values. */
  public StoreShape {
    if (latencyMillis < 0 || connectionBytesPerSecond < 0 || totalBytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "latency and rates of a store must not be negative: %d ms, %d and %d bytes/s"
              .formatted(latencyMillis, connectionBytesPerSecond, totalBytesPerSecond));
    }
  }
}
