package io.ariadne.preload;

/**
 * Configuration of a {@link PreloadExecutor}, checked and immutable.
 *
 * @param maxBytes most bytes of memory for bytes that nothing needs yet; 0 reads nothing ahead
 * @param maxRequests most requests in progress at the same time, at least 1
 * @param strandedMillis how long a request may take at least before it is sent again
 */
public record PreloadConfig(long maxBytes, int maxRequests, long strandedMillis) {
  /** Number of requests that saturates an object store from one machine. */
  private static final int MOST_REQUESTS = 64;

  private static final long STRANDED_MILLIS = 20_000;

  /** Share of the memory, of which operators need the rest. */
  private static final int MEMORY_SHARES = 8;

  private static final long MOST_BYTES = 1L << 30;

  /** Checks the bounds. */
  public PreloadConfig {
    if (maxBytes < 0 || maxRequests < 1 || strandedMillis < 1) {
      throw new IllegalArgumentException(
          "maxBytes=" + maxBytes + " maxRequests=" + maxRequests + " stranded=" + strandedMillis);
    }
  }

  /** Returns the default configuration for a process with a limit of host memory. */
  public static PreloadConfig of(long memoryLimitInBytes) {
    return new PreloadConfig(
        Math.min(memoryLimitInBytes / MEMORY_SHARES, MOST_BYTES), MOST_REQUESTS, STRANDED_MILLIS);
  }

  /** Returns this configuration with another limit of memory. */
  public PreloadConfig withMaxBytes(long bytes) {
    return new PreloadConfig(bytes, maxRequests, strandedMillis);
  }
}
