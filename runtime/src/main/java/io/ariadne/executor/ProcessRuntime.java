package io.ariadne.executor;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/** The one {@link ExecutorRuntime} that the tasks of this process run on. Thread-safe. */
public final class ProcessRuntime {
  @GuardedBy("ProcessRuntime.class")
  private static ExecutorRuntime current;

  private ProcessRuntime() {}

  /**
   * Starts the runtime of this process.
   *
   * @param config the settings
   * @return the runtime; {@link #stop} closes it
   * @throws IllegalStateException when there is one already
   * @throws io.ariadne.error.EngineException with a message of one line when the back end cannot be
   *     had
   */
  public static synchronized ExecutorRuntime start(RuntimeConfig config) {
    if (current != null) {
      throw new IllegalStateException("this process runs already: " + current.description());
    }
    current = ExecutorRuntime.start(config);
    return current;
  }

  /**
   * Returns the runtime of this process.
   *
   * @throws IllegalStateException when it was not started or was stopped
   */
  public static synchronized ExecutorRuntime get() {
    if (current == null) {
      throw new IllegalStateException("no Ariadne runtime was started in this process");
    }
    return current;
  }

  /** Returns whether the runtime was started and not stopped. */
  public static synchronized boolean isStarted() {
    return current != null;
  }

  /**
   * Stops the runtime of this process, if there is one; afterwards another may be started.
   *
   * @throws io.ariadne.error.EngineException INTERNAL when it is still in use or buffers are open
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
