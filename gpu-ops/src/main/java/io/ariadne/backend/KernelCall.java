package io.ariadne.backend;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * A kernel with an argument struct and a status block, the common part of the classes that launch a
 * single kernel. Used by one thread at a time.
 */
public final class KernelCall implements AutoCloseable {
  private final Backend backend;
  private final KernelFunction kernel;
  private final ArgumentBlock arguments;
  private final KernelStatus status;

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param name the kernel's name in its source
   * @param sizeInBytes size of the argument struct
   * @param statusOffset byte of the argument struct at which the status block's address goes
   */
  public KernelCall(Backend backend, String name, int sizeInBytes, int statusOffset) {
    this.backend = backend;
    this.kernel = backend.kernel(name);
    this.arguments = new ArgumentBlock(sizeInBytes);
    try {
      this.status = backend.newStatus();
    } catch (RuntimeException | Error e) {
      arguments.close();
      throw e;
    }
    arguments.putLong(statusOffset, status.address());
  }

  /** Returns the kernel. */
  public KernelFunction kernel() {
    return kernel;
  }

  /** Returns the argument struct; its fields keep their values from launch to launch. */
  public ArgumentBlock arguments() {
    return arguments;
  }

  /** Returns the status block; its results are valid after {@link #await()}. */
  public KernelStatus status() {
    return status;
  }

  /** Launches once and waits. Throws what {@link #await()} throws. */
  public void run(long rows) {
    begin();
    launch(rows);
    await();
  }

  /** Clears the status block. All launches until the next call of this method share it. */
  public void begin() {
    status.clear();
  }

  /**
   * Queues a launch over so many rows. A kernel that raises no errors and has no results in its
   * status block needs no {@link #await}.
   */
  public void launch(long rows) {
    backend.launch(kernel, LaunchShape.ofRows(rows), arguments);
  }

  /**
   * Waits for the launches since {@link #begin()}.
   *
   * @throws EngineException INTERNAL when a launch raised an error
   */
  public void await() {
    status.await();
    checkError();
  }

  /**
   * Waits as {@link #await()} does, and copies the first bytes of a buffer as {@link
   * KernelStatus#await(MemoryBuffer, ArgumentBlock)} does.
   */
  public void await(MemoryBuffer source, ArgumentBlock target) {
    status.await(source, target);
    checkError();
  }

  private void checkError() {
    KernelError error = error();
    if (error != null) {
      throw new EngineException(
          ErrorCode.INTERNAL, "kernel " + kernel.name() + " failed: " + error);
    }
  }

  /** Returns the error of launches that were waited for; null without one. */
  public KernelError error() {
    return status.errorWord() == 0 ? null : KernelError.decode(status.errorWord());
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(status);
    closer.close(arguments);
    closer.rethrow();
  }
}
