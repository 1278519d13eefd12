package io.ariadne.executor;

import io.ariadne.fragment.control.FragmentLimits;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.util.Objects;

/**
 * Settings of an {@link ExecutorRuntime}, checked and immutable.
 *
 * @param name prefix of thread and pool names
 * @param backend which back end
 * @param computeThreads how much work runs at once: the task slots of the process, at least 1
 * @param memory what the memory pools are made of
 * @param limits bounds of each fragment
 * @param batchRows the most rows that scans and imports put in a batch, a multiple of 64; a batch
 *     of an exchange is full with so many and may be larger
 * @param stopTimeoutMillis how long stopping waits for fragments that are in use
 * @param spill how batches leave memory for disks when it runs short; null: they never do
 * @param device how a device is used, where the back end has one
 */
public record RuntimeConfig(
    String name,
    BackendChoice backend,
    int computeThreads,
    MemoryConfig memory,
    FragmentLimits limits,
    int batchRows,
    long stopTimeoutMillis,
    DiskSpillOptions spill,
    DeviceConfig device) {
  private static final long BYTES_IN_FLIGHT = 256L << 20;
  private static final int BATCHES_PER_THREAD = 2;
  private static final int BATCH_ROWS = 65_536;
  private static final int ROWS_OF_MASK = 64;
  private static final long REPORT_MILLIS = 60_000;
  private static final long STOP_TIMEOUT_MILLIS = 30_000;

  /** Checks the bounds. */
  public RuntimeConfig {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(backend, "backend is null");
    Objects.requireNonNull(memory, "memory is null");
    Objects.requireNonNull(limits, "limits is null");
    Objects.requireNonNull(device, "device is null");
    requirePositive("computeThreads", computeThreads);
    if (batchRows <= 0 || batchRows % ROWS_OF_MASK != 0) {
      throw new IllegalArgumentException("batchRows=" + batchRows);
    }
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
    int threads = Math.max(1, computeThreads);
    long bytes = Math.max(1, Math.min(BYTES_IN_FLIGHT, memoryLimitInBytes / (4L * threads)));
    return new RuntimeConfig(
        "ariadne",
        BackendChoice.AUTO,
        computeThreads,
        MemoryConfig.of(memoryLimitInBytes),
        new FragmentLimits(BATCHES_PER_THREAD * threads + 1, bytes, REPORT_MILLIS),
        BATCH_ROWS,
        STOP_TIMEOUT_MILLIS,
        null,
        DeviceConfig.DEFAULT);
  }

  /** Returns these settings with another back end. */
  public RuntimeConfig withBackend(BackendChoice other) {
    return new RuntimeConfig(
        name, other, computeThreads, memory, limits, batchRows, stopTimeoutMillis, spill, device);
  }

  /** Returns these settings with batches that leave memory for disks; null: they never do. */
  public RuntimeConfig withSpill(DiskSpillOptions other) {
    return new RuntimeConfig(
        name, backend, computeThreads, memory, limits, batchRows, stopTimeoutMillis, other, device);
  }

  /** Returns these settings with other bounds on what each pipeline has in flight. */
  public RuntimeConfig withInFlight(int batches, long bytes) {
    return withLimits(new FragmentLimits(batches, bytes, limits.reportMillis()), stopTimeoutMillis);
  }

  /** Returns these settings with batches of fewer or more rows. */
  public RuntimeConfig withBatchRows(int rows) {
    return new RuntimeConfig(
        name, backend, computeThreads, memory, limits, rows, stopTimeoutMillis, spill, device);
  }

  /** Returns these settings with other times; both in milliseconds. */
  public RuntimeConfig withTimes(long report, long stopTimeout) {
    return withLimits(
        new FragmentLimits(limits.batchesInFlight(), limits.bytesInFlight(), report), stopTimeout);
  }

  /** Returns these settings with other pools. */
  public RuntimeConfig withMemory(MemoryConfig other) {
    return new RuntimeConfig(
        name, backend, computeThreads, other, limits, batchRows, stopTimeoutMillis, spill, device);
  }

  /** Returns these settings with another use of a device. */
  public RuntimeConfig withDevice(DeviceConfig other) {
    return new RuntimeConfig(
        name, backend, computeThreads, memory, limits, batchRows, stopTimeoutMillis, spill, other);
  }

  private RuntimeConfig withLimits(FragmentLimits other, long stopTimeout) {
    return new RuntimeConfig(
        name, backend, computeThreads, memory, other, batchRows, stopTimeout, spill, device);
  }

  static void requirePositive(String what, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, is " + value);
    }
  }
}
