package io.ariadne.executor;

import java.util.Objects;

/**
 * Settings of an {@link ExecutorRuntime}, checked and immutable.
 *
 * @param name prefix of thread and pool names
 * @param backend which back end
 * @param computeThreads how much work runs at once: the task slots of the process, at least 1
 * @param memoryLimitInBytes hard limit of the host memory pool
 * @param batchesInFlight batches each pipeline lets in before earlier ones have left it
 * @param bytesInFlight bytes of such batches and of their output
 * @param reportMillis after how long a wait is reported with its diagnosis
 * @param stopTimeoutMillis how long stopping waits for fragments that are in use
 */
public record RuntimeConfig(
    String name,
    BackendChoice backend,
    int computeThreads,
    long memoryLimitInBytes,
    int batchesInFlight,
    long bytesInFlight,
    long reportMillis,
    long stopTimeoutMillis) {
  private static final long BYTES_IN_FLIGHT = 256L << 20;
  private static final int BATCHES_PER_THREAD = 2;
  private static final long REPORT_MILLIS = 60_000;
  private static final long STOP_TIMEOUT_MILLIS = 30_000;

  /** Checks the bounds. */
  public RuntimeConfig {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(backend, "backend is null");
    requirePositive("computeThreads", computeThreads);
    requirePositive("memoryLimitInBytes", memoryLimitInBytes);
    requirePositive("batchesInFlight", batchesInFlight);
    requirePositive("bytesInFlight", bytesInFlight);
    requirePositive("reportMillis", reportMillis);
    requirePositive("stopTimeoutMillis", stopTimeoutMillis);
  }

  /**
   * Returns settings of which only the machine's share is chosen.
   *
   * @param computeThreads task slots of the process
   * @param memoryLimitInBytes hard limit of the host memory pool; each slot may have a quarter of
   *     its share, 256 MiB at most, in flight in one pipeline
   */
  public static RuntimeConfig of(int computeThreads, long memoryLimitInBytes) {
    return new RuntimeConfig(
        "ariadne",
        BackendChoice.AUTO,
        computeThreads,
        memoryLimitInBytes,
        BATCHES_PER_THREAD * computeThreads + 1,
        Math.max(
            1, Math.min(BYTES_IN_FLIGHT, memoryLimitInBytes / (4L * Math.max(1, computeThreads)))),
        REPORT_MILLIS,
        STOP_TIMEOUT_MILLIS);
  }

  /** Returns these settings with another back end. */
  public RuntimeConfig withBackend(BackendChoice other) {
    return new RuntimeConfig(
        name,
        other,
        computeThreads,
        memoryLimitInBytes,
        batchesInFlight,
        bytesInFlight,
        reportMillis,
        stopTimeoutMillis);
  }

  /** Returns these settings with other bounds on what each pipeline has in flight. */
  public RuntimeConfig withInFlight(int batches, long bytes) {
    return new RuntimeConfig(
        name,
        backend,
        computeThreads,
        memoryLimitInBytes,
        batches,
        bytes,
        reportMillis,
        stopTimeoutMillis);
  }

  /** Returns these settings with other times; both in milliseconds. */
  public RuntimeConfig withTimes(long report, long stopTimeout) {
    return new RuntimeConfig(
        name,
        backend,
        computeThreads,
        memoryLimitInBytes,
        batchesInFlight,
        bytesInFlight,
        report,
        stopTimeout);
  }

  private static void requirePositive(String what, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, is " + value);
    }
  }
}
