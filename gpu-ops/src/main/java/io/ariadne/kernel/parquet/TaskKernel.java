package io.ariadne.kernel.parquet;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelError;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;

/**
 * A kernel over tasks with its argument struct. The caller sets the kernel's other fields through
 * {@link #arguments()} before a launch. Used by one thread at a time.
 */
final class TaskKernel implements AutoCloseable {
  private static final long WARP_ROWS = 32;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelFunction kernel;
  private final ArgumentBlock arguments;
  private final Fields fields;
  private KernelStatus ownStatus; // null until run() needs it

  /**
   * Where the fields that all these kernels have lie in the argument struct.
   *
   * @param status offset of the status block's address
   * @param tasks offset of the tasks' address
   * @param taskCount offset of their number
   */
  record Fields(int status, int tasks, int taskCount) {}

  TaskKernel(Backend backend, BufferAllocator allocator, String name, Fields fields) {
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
   * Queues a launch with a block per task.
   *
   * @param tasks what to decode
   * @param status receives errors; it cannot tell launches that share it apart
   */
  void launch(ParquetTasks tasks, KernelStatus status) {
    launch(tasks, status, blockPerTask(tasks));
  }

  /**
   * Runs with a block per task and waits.
   *
   * @throws ParquetPageException when a task raised an error; what was written is then unspecified
   */
  void run(ParquetTasks tasks) {
    run(tasks, blockPerTask(tasks));
  }

  /** Runs with a warp per task and waits; otherwise as {@link #run(ParquetTasks)}. */
  void runWarps(ParquetTasks tasks) {
    run(tasks, LaunchShape.ofRows(tasks.size() * WARP_ROWS * kernel.itemsPerThread()));
  }

  /**
   * Runs with a thread per value, or per so many values as a thread of the kernel takes, and waits;
   * otherwise as {@link #run(ParquetTasks)}.
   */
  void runValues(ParquetTasks tasks) {
    run(tasks, LaunchShape.ofRows(tasks.valueCount()));
  }

  private void run(ParquetTasks tasks, LaunchShape shape) {
    if (ownStatus == null) {
      ownStatus = backend.newStatus();
    }
    ownStatus.clear();
    launch(tasks, ownStatus, shape);
    await(ownStatus);
  }

  private LaunchShape blockPerTask(ParquetTasks tasks) {
    long tileRows = (long) kernel.blockSize() * kernel.itemsPerThread();
    return LaunchShape.ofRows(tasks.size() * tileRows);
  }

  /** Queues a launch of a given shape. */
  void launch(ParquetTasks tasks, KernelStatus status, LaunchShape shape) {
    if (tasks.size() == 0) {
      return;
    }
    try (MemoryBuffer array = tasks.upload(backend, allocator)) {
      arguments.putLong(fields.status(), status.address());
      arguments.putLong(fields.tasks(), array.address());
      arguments.putInt(fields.taskCount(), tasks.size());
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
    if (status.errorWord() != 0) {
      throw new ParquetPageException(KernelError.decode(status.errorWord()));
    }
  }

  @Override
  public void close() {
    if (ownStatus != null) {
      ownStatus.close();
    }
    arguments.close();
  }
}
