package io.ariadne.bridge.task;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The SQL settings under which a task prepares Spark's code, on whatever thread.
 *
 * <p>A task of a tracked query has them in its local properties, which {@code SQLConf.get} reads
 * wherever the task's context is. A task of an RDD that was made of a query ({@code Dataset.rdd})
 * has none there: Spark puts the query's settings on the task thread while it makes the iterators,
 * and only then ({@code SQLExecutionRDD}). So code that is prepared later, or on a compute thread,
 * gets them from here. Thread-safe.
 */
public final class TaskSettings {
  private static final Map<Long, SQLConf> KEPT = new ConcurrentHashMap<>();

  private TaskSettings() {}

  /**
   * Keeps the settings of the calling task thread until the task ends; to be called while the
   * task's iterators are made.
   */
  public static void keep() {
    TaskContext context = TaskContext.get();
    if (context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY()) != null) {
      return;
    }
    long task = context.taskAttemptId();
    if (KEPT.putIfAbsent(task, SQLConf.get()) == null) {
      context.addTaskCompletionListener((TaskCompletionListener) ended -> KEPT.remove(task));
    }
  }

  /** Does something under the settings of the task that the calling thread works for. */
  public static <T> T with(Supplier<T> work) {
    TaskContext context = TaskContext.get();
    SQLConf kept = context == null ? null : KEPT.get(context.taskAttemptId());
    return kept == null ? work.get() : SQLConf.withExistingConf(kept, work::get);
  }
}
