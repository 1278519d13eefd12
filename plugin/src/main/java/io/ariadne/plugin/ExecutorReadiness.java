package io.ariadne.plugin;

import java.util.Set;
import java.util.TreeSet;

/**
 * Tracks whether the executors of this application can run fragments.
 *
 * <p>If {@code spark.ariadne.required} is true, every executor can: an executor on which Ariadne
 * cannot start fails. Otherwise executors report, and queries are planned for Ariadne while at
 * least one executor is ready and no executor has reported that it is not. Thread-safe. Supports
 * one application per process at a time.
 */
public final class ExecutorReadiness {
  private static final Set<String> READY = new TreeSet<>();
  private static final Set<String> NOT_READY = new TreeSet<>();
  private static boolean isRequired = true;

  private ExecutorReadiness() {}

  /** Starts an application without reports. */
  static synchronized void begin(boolean required) {
    isRequired = required;
    READY.clear();
    NOT_READY.clear();
  }

  /** Records the report of an executor. */
  static synchronized void report(String executor, boolean isReady) {
    (isReady ? READY : NOT_READY).add(executor);
    (isReady ? NOT_READY : READY).remove(executor);
  }

  /** Returns whether queries may be planned for Ariadne at present. */
  public static synchronized boolean canPlan() {
    return isRequired || (!READY.isEmpty() && NOT_READY.isEmpty());
  }
}
