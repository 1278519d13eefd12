package io.ariadne.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;

/** Holds the one {@link ExecutorRuntime} that the tasks of this process use. Thread-safe. */
public final class ProcessRuntime {
  @GuardedBy("ProcessRuntime.class")
  private static ExecutorRuntime current;

  private ProcessRuntime() {}

  /**
   * Starts the runtime of this process.
   *
   * @param config the configuration
   * @return the runtime; {@link #stop} closes it
   * @throws IllegalStateException if a runtime is already started
   * @throws io.ariadne.error.EngineException with a message of one line if the back end is not
   *     available
   */
  public static synchronized ExecutorRuntime start(RuntimeConfig config) {
    if (current != null) {
      throw new IllegalStateException(
          "this process already has a runtime: " + current.description());
    }
    current = ExecutorRuntime.start(config);
    return current;
  }

  /**
   * Returns the runtime of this process.
   *
   * @throws IllegalStateException if it was not started or is stopped
   */
  public static synchronized ExecutorRuntime get() {
    if (current == null) {
      throw new IllegalStateException("no Ariadne runtime was started in this process");
    }
    return current;
  }

  /** Returns the runtime of this process, or empty if it was not started or is stopped. */
  public static synchronized Optional<ExecutorRuntime> find() {
    return Optional.ofNullable(current);
  }

  /** Returns whether the runtime is started and not stopped. */
  public static synchronized boolean isStarted() {
    return current != null;
  }

  /**
   * Stops the runtime of this process, if there is one; afterwards another may be started.
   *
   * @throws io.ariadne.error.EngineException INTERNAL if it is still in use or buffers are open
   */
  public static void stop() {
    ExecutorRuntime stopping;
    synchronized (ProcessRuntime.class) {
      stopping = current;
      current = null;
    }
    if (stopping != null) {
      stopping.close();
    }
  }
}
