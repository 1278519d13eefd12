package io.ariadne.plugin;

import java.util.Set;
import java.util.TreeSet;

/**
 * Whether the executors of this driver's application can run fragments.
 *
 * <p>When Ariadne is required they always can, because an executor that cannot does not live. When
 * it is not, executors report, and plans are made for Ariadne only while at least one is ready and
 * none has reported that it is not. Thread-safe; one application per process at a time.
 */
public final class ExecutorReadiness {
  private static final Set<String> READY = new TreeSet<>();
  private static final Set<String> NOT_READY = new TreeSet<>();
  private static boolean isRequired = true;

  private ExecutorReadiness() {}

  /** Begins an application. */
  static synchronized void begin(boolean required) {
    isRequired = required;
    READY.clear();
    NOT_READY.clear();
  }

  /** Notes what an executor reports. */
  static synchronized void report(String executor, boolean isReady) {
    (isReady ? READY : NOT_READY).add(executor);
    (isReady ? NOT_READY : READY).remove(executor);
  }

  /** Returns whether queries may be planned for Ariadne now. */
  public static synchronized boolean canPlan() {
    return isRequired || (!READY.isEmpty() && NOT_READY.isEmpty());
  }
}
