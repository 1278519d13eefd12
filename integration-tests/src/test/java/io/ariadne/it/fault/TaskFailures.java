package io.ariadne.it.fault;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Listens to how tasks fail, of which Spark tells nobody when the next attempt succeeds. */
final class TaskFailures extends SparkListener implements AutoCloseable {
  private static final AtomicInteger TOTAL = new AtomicInteger();

  private final SparkContext context;
  private final List<ExceptionFailure> failures = new ArrayList<>();

  TaskFailures(SparkContext context) {
    this.context = context;
    context.addSparkListener(this);
  }

  /** Returns how many tasks have failed by faults. */
  static int total() {
    return TOTAL.get();
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() instanceof ExceptionFailure failure) {
      failures.add(failure);
    }
  }

  /** Fails unless tasks have failed by faults alone; waits until all is known. */
  void requireInjected(String faults) {
    try {
      context.listenerBus().waitUntilEmpty();
    } catch (TimeoutException e) {
      throw new AssertionError("Spark's listeners do not come to an end", e);
    }
    synchronized (this) {
      for (ExceptionFailure failure : failures) {
        boolean isInjected =
            failure.exception().isDefined() && isInjected(failure.exception().get());
        if (!isInjected) {
          throw new AssertionError(failure.toErrorString() + '\n' + faults);
        }
        TOTAL.incrementAndGet();
      }
    }
  }

  /** Returns whether a failure says clearly that there was no memory, or that a file failed. */
  static boolean isInjected(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof EngineException engine) {
        return engine.code() == ErrorCode.OUT_OF_MEMORY
            || (engine.code() == ErrorCode.CORRUPT_DATA
                && String.valueOf(engine.getMessage()).contains("injected"));
      }
    }
    return false;
  }

  @Override
  public void close() {
    context.removeSparkListener(this);
  }
}
