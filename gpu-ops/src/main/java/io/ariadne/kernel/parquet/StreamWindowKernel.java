package io.ariadne.kernel.parquet;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelError;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.Optional;

/**
 * Launches a kernel that decodes {@link StreamWindows}. Sets the fields of the argument struct that
 * all these kernels have; the caller sets the other fields through {@link #arguments()} before a
 * launch. Used by one thread at a time.
 */
final class StreamWindowKernel implements AutoCloseable {
  private static final long WARP_ROWS = 32;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelFunction kernel;
  private final ArgumentBlock arguments;
  private final Fields fields;
  private KernelStatus ownStatus; // null until run() needs it

  /**
   * Offsets of the fields of the argument struct that all these kernels have.
   *
   * @param status offset of the status block's address
   * @param windows offset of the windows' address
   * @param windowCount offset of their number
   */
  record Fields(int status, int windows, int windowCount) {}

  StreamWindowKernel(Backend backend, BufferAllocator allocator, String name, Fields fields) {
    this.backend = backend;
    this.allocator = allocator;
    this.kernel = backend.kernel(name);
    this.fields = fields;
    this.arguments = new ArgumentBlock(kernel.argumentBytes());
  }

  ArgumentBlock arguments() {
    return arguments;
  }

  /**
   * Queues a launch with a block per window.
   *
   * @param windows what to decode
   * @param status receives errors; it cannot tell launches that share it apart
   */
  void launch(StreamWindows windows, KernelStatus status) {
    launch(windows, status, blockPerWindow(windows));
  }

  /**
   * Runs with a block per window and waits.
   *
   * @throws ParquetPageException when a window raised an error; what was written is then
   *     unspecified
   */
  void run(StreamWindows windows) {
    run(windows, blockPerWindow(windows));
  }

  /** Runs with a warp per window and waits; otherwise as {@link #run(StreamWindows)}. */
  void runWarps(StreamWindows windows) {
    run(windows, warpPerWindow(windows));
  }

  /** Queues a launch with a warp per window. */
  void launchWarps(StreamWindows windows, KernelStatus status) {
    launch(windows, status, warpPerWindow(windows));
  }

  private LaunchShape warpPerWindow(StreamWindows windows) {
    return LaunchShape.ofRows(windows.size() * WARP_ROWS * kernel.itemsPerThread());
  }

  /**
   * Runs with a thread per value, or per several values if the kernel's threads take several, and
   * waits; otherwise as {@link #run(StreamWindows)}.
   */
  void runValues(StreamWindows windows) {
    run(windows, LaunchShape.ofRows(windows.valueCount()));
  }

  private void run(StreamWindows windows, LaunchShape shape) {
    if (ownStatus == null) {
      ownStatus = backend.newStatus();
    }
    ownStatus.clear();
    launch(windows, ownStatus, shape);
    await(ownStatus);
  }

  private LaunchShape blockPerWindow(StreamWindows windows) {
    long tileRows = (long) kernel.blockSize() * kernel.itemsPerThread();
    return LaunchShape.ofRows(windows.size() * tileRows);
  }

  /** Queues a launch of a given shape. */
  void launch(StreamWindows windows, KernelStatus status, LaunchShape shape) {
    if (windows.size() == 0) {
      return;
    }
    try (MemoryBuffer array = windows.upload(backend, allocator)) {
      arguments.putLong(fields.status(), status.address());
      arguments.putLong(fields.windows(), array.address());
      arguments.putInt(fields.windowCount(), windows.size());
      backend.launch(kernel, shape, arguments);
    }
  }

  /**
   * Waits for the launches that use a status block.
   *
   * @throws ParquetPageException when one of them raised an error
   */
  static void await(KernelStatus status) {
    status.await();
    Optional<ParquetPageException> error = errorOf(status);
    if (error.isPresent()) {
      throw error.get();
    }
  }

  /** Returns the error of launches that were waited for. */
  static Optional<ParquetPageException> errorOf(KernelStatus status) {
    return status.errorWord() == 0
        ? Optional.empty()
        : Optional.of(new ParquetPageException(KernelError.decode(status.errorWord())));
  }

  @Override
  public void close() {
    if (ownStatus != null) {
      ownStatus.close();
    }
    arguments.close();
  }
}
