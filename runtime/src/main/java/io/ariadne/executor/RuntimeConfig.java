package io.ariadne.executor;

import io.ariadne.fragment.control.FragmentLimits;
import io.ariadne.preload.PreloadConfig;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Configuration of an {@link ExecutorRuntime}, checked and immutable.
 *
 * @param name prefix of thread and pool names
 * @param backend which back end
 * @param computeThreads how many work items run at the same time: the task slots of the process, at
 *     least 1
 * @param memory configuration of the memory pools
 * @param limits limits of each fragment
 * @param batchRows maximum number of rows that scans and imports put in a batch, a multiple of 64;
 *     an exchange emits a batch once it has this many rows, and the batch may be larger
 * @param stopTimeoutMillis how long stopping waits for fragments in use
 * @param spill how batches are spilled to disk when memory runs short; null to spill none
 * @param device how a device is used, if the back end has one
 * @param preload how scans read ahead
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
    DeviceConfig device,
    PreloadConfig preload) {
  private static final long BYTES_IN_FLIGHT = 256L << 20;
  private static final int BATCHES_PER_THREAD = 2;
  private static final int BATCH_ROWS = 65_536;
  private static final int ROWS_OF_MASK = 64;
  private static final long REPORT_MILLIS = 60_000;
  private static final long STOP_TIMEOUT_MILLIS = 30_000;

  /** Checks the arguments. */
  public RuntimeConfig {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(backend, "backend is null");
    Objects.requireNonNull(memory, "memory is null");
    Objects.requireNonNull(limits, "limits is null");
    Objects.requireNonNull(device, "device is null");
    Objects.requireNonNull(preload, "preload is null");
    requirePositive("computeThreads", computeThreads);
    if (batchRows <= 0 || batchRows % ROWS_OF_MASK != 0) {
      throw new IllegalArgumentException("batchRows=" + batchRows);
    }
    requirePositive("stopTimeoutMillis", stopTimeoutMillis);
  }

  /**
   * Returns a default configuration for a share of the machine.
   *
   * @param computeThreads task slots of the process
   * @param memoryLimitInBytes hard limit of the host memory pool; each slot may have a quarter of
   *     its share, at most 256 MiB, in flight in one pipeline
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
        DeviceConfig.DEFAULT,
        PreloadConfig.of(memoryLimitInBytes));
  }

  /** Returns this configuration with another back end. */
  public RuntimeConfig withBackend(BackendChoice other) {
    return with(changes -> changes.backend = other);
  }

  /** Returns this configuration with another way to spill to disk; null to spill nothing. */
  public RuntimeConfig withSpill(DiskSpillOptions other) {
    return with(changes -> changes.spill = other);
  }

  /** Returns this configuration with other limits on what each pipeline has in flight. */
  public RuntimeConfig withInFlight(int batches, long bytes) {
    FragmentLimits other = new FragmentLimits(batches, bytes, limits.reportMillis());
    return with(changes -> changes.limits = other);
  }

  /** Returns this configuration with another maximum number of rows per batch. */
  public RuntimeConfig withBatchRows(int rows) {
    return with(changes -> changes.batchRows = rows);
  }

  /** Returns this configuration with other report and stop times, both in milliseconds. */
  public RuntimeConfig withTimes(long report, long stopTimeout) {
    FragmentLimits other =
        new FragmentLimits(limits.batchesInFlight(), limits.bytesInFlight(), report);
    return with(
        changes -> {
          changes.limits = other;
          changes.stopTimeoutMillis = stopTimeout;
        });
  }

  /** Returns this configuration with other pools. */
  public RuntimeConfig withMemory(MemoryConfig other) {
    return with(changes -> changes.memory = other);
  }

  /** Returns this configuration with other settings of the device. */
  public RuntimeConfig withDevice(DeviceConfig other) {
    return with(changes -> changes.device = other);
  }

  /** Returns this configuration with another way to read ahead. */
  public RuntimeConfig withPreload(PreloadConfig other) {
    return with(changes -> changes.preload = other);
  }

  private RuntimeConfig with(Consumer<Changes> change) {
    Changes changes = new Changes();
    change.accept(changes);
    return new RuntimeConfig(
        name,
        changes.backend,
        computeThreads,
        changes.memory,
        changes.limits,
        changes.batchRows,
        changes.stopTimeoutMillis,
        changes.spill,
        changes.device,
        changes.preload);
  }

  /** The components that another configuration may have otherwise. */
  private final class Changes {
    private BackendChoice backend = RuntimeConfig.this.backend;
    private MemoryConfig memory = RuntimeConfig.this.memory;
    private FragmentLimits limits = RuntimeConfig.this.limits;
    private int batchRows = RuntimeConfig.this.batchRows;
    private long stopTimeoutMillis = RuntimeConfig.this.stopTimeoutMillis;
    private DiskSpillOptions spill = RuntimeConfig.this.spill;
    private DeviceConfig device = RuntimeConfig.this.device;
    private PreloadConfig preload = RuntimeConfig.this.preload;
  }

  static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, is " + value);
    }
  }
}
