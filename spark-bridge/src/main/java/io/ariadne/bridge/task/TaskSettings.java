package io.ariadne.bridge.task;

import io.ariadne.bridge.ScalaCollections;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.util.TaskCompletionListener;
import scala.Tuple2;

/**
 * The SQL settings under which a task prepares Spark's code, on whatever thread.
 *
 * <p>A task of a tracked query has them in its local properties, which {@code SQLConf.get} reads
 * wherever the task's context is. A task of an RDD that was made of a query ({@code Dataset.rdd})
 * has none there. Spark's generated code has what depends on them from the driver; the expressions
 * that tasks of ours prepare read them, so they travel with the fragment. Immutable.
 */
public final class TaskSettings implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Map<Long, SQLConf> KEPT = new ConcurrentHashMap<>();

  private final HashMap<String, String> settings = new HashMap<>();

  private TaskSettings() {}

  /**
   * Returns the settings of the query that the calling thread of the driver executes. Whether its
   * tasks will be tracked is not known there: an RDD may be made in one query and run outside.
   */
  public static TaskSettings ofQuery() {
    TaskSettings ofQuery = new TaskSettings();
    for (Tuple2<String, String> setting :
        ScalaCollections.<Tuple2<String, String>>list(SQLConf.get().getAllConfs())) {
      ofQuery.settings.put(setting._1(), setting._2());
    }
    return ofQuery;
  }

  /**
   * Keeps the settings until the task of the calling thread ends, for that thread and those that
   * work for it. Of fragments of several queries in one task, as of RDDs that are united and
   * coalesced, those of the fragment that starts first are kept.
   */
  public void keep() {
    TaskContext context = TaskContext.get();
    long task = context.taskAttemptId();
    boolean isTracked = context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY()) != null;
    if (isTracked || KEPT.containsKey(task)) {
      return;
    }
    SQLConf conf = new SQLConf();
    settings.forEach(conf::setConfString);
    KEPT.put(task, conf);
    context.addTaskCompletionListener((TaskCompletionListener) ended -> KEPT.remove(task));
  }

  /** Does something under the settings of the task that the calling thread works for. */
  public static <T> T with(Supplier<T> work) {
    TaskContext context = TaskContext.get();
    SQLConf kept = context == null ? null : KEPT.get(context.taskAttemptId());
    return kept == null ? work.get() : SQLConf.withExistingConf(kept, work::get);
  }
}
