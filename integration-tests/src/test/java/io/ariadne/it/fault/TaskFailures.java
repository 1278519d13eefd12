package io.ariadne.it.fault;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Records failed tasks whose next attempts succeed. Spark does not report them, because their
 * stages succeed.
 */
final class TaskFailures extends SparkListener {
  private final SparkContext context;

  /** By stage and its attempt: what has failed of those that have not ended. */
  private final Map<List<Integer>, List<ExceptionFailure>> open = new HashMap<>();

  private final List<Survived> survived = new ArrayList<>();

  /** Stages that have begun under faults: they may outlive a query that no longer needs them. */
  private final Set<List<Integer>> begunUnderFaults = new HashSet<>();

  private boolean isUnderFaults;

  /** A failed attempt of a stage that succeeded, and whether that began under faults. */
  record Survived(ExceptionFailure failure, boolean isUnderFaults) {}

  /** Listens until the context stops. */
  TaskFailures(SparkContext context) {
    this.context = context;
    context.addSparkListener(this);
  }

  boolean isOf(SparkContext other) {
    return context == other;
  }

  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted begin) {
    if (isUnderFaults) {
      begunUnderFaults.add(List.of(begin.stageInfo().stageId(), begin.stageInfo().attemptNumber()));
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() instanceof ExceptionFailure failure) {
      open.computeIfAbsent(List.of(end.stageId(), end.stageAttemptId()), stage -> new ArrayList<>())
          .add(failure);
    }
  }

  @Override
  public synchronized void onStageCompleted(SparkListenerStageCompleted end) {
    List<Integer> stage = List.of(end.stageInfo().stageId(), end.stageInfo().attemptNumber());
    List<ExceptionFailure> failures = open.remove(stage);
    boolean hadFaults = begunUnderFaults.remove(stage);
    if (failures != null && end.stageInfo().failureReason().isEmpty()) {
      failures.forEach(each -> survived.add(new Survived(each, hadFaults)));
    }
  }

  /**
   * Returns and forgets what stages have survived so far; waits until all is known.
   *
   * @param isFollowedByFaults whether stages that begin after this are under faults
   */
  List<Survived> take(boolean isFollowedByFaults) {
    try {
      context.listenerBus().waitUntilEmpty();
    } catch (TimeoutException e) {
      throw new AssertionError("Spark's listeners do not come to an end", e);
    }
    synchronized (this) {
      List<Survived> taken = List.copyOf(survived);
      survived.clear();
      isUnderFaults = isFollowedByFaults;
      return taken;
    }
  }

  /** Returns whether a failure says clearly that there was no memory, or that a file failed. */
  static boolean isOfFaults(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof EngineException engine) {
        return engine.code() == ErrorCode.OUT_OF_MEMORY
            || (engine.code() == ErrorCode.CORRUPT_DATA
                && String.valueOf(engine.getMessage()).contains("injected"));
      }
    }
    return false;
  }
}
