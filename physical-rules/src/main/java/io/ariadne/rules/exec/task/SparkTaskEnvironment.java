package io.ariadne.rules.exec.task;

import io.ariadne.bridge.task.SparkTaskScope;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.rules.expression.ReplayTable;
import org.apache.spark.TaskContext;

/**
 * Gives the runtime's threads the thread-local state of a Spark task, and raises Spark's own
 * errors.
 */
final class SparkTaskEnvironment implements TaskEnvironment {
  private final SparkTaskScope scope;
  private final ErrorReplay errorReplay;
  private final String query;
  private final boolean readsInputLocation;

  /**
   * Captures the thread-local state of the calling task thread.
   *
   * @param replays Spark's own versions of those expressions of the fragment that may raise an
   *     error
   * @param readsInputLocation whether the task's code may ask for the location of its current input
   *     row, such as the file
   */
  SparkTaskEnvironment(ReplayTable replays, boolean readsInputLocation) {
    this.readsInputLocation = readsInputLocation;
    this.scope = SparkTaskScope.current();
    this.query = scope.query();
    this.errorReplay = new SparkErrorReplay(replays);
  }

  @Override
  public void enter() {
    scope.enter();
  }

  @Override
  public void exit() {
    scope.exit();
  }

  @Override
  public boolean isCancelled() {
    return scope.isCancelled();
  }

  @Override
  public String description() {
    return scope.description();
  }

  @Override
  public Object query() {
    return query;
  }

  /** Stages that were submitted earlier come first, then lower partitions, as in Spark's queue. */
  @Override
  public long taskRank() {
    TaskContext context = scope.context();
    return ((long) context.stageId() << Integer.SIZE) | context.partitionId();
  }

  @Override
  public boolean readsInputLocation() {
    return readsInputLocation;
  }

  @Override
  public ErrorReplay errorReplay() {
    return errorReplay;
  }
}
