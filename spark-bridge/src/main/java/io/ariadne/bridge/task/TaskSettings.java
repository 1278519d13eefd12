package io.ariadne.bridge.task;

import io.ariadne.bridge.ScalaCollections;
import java.io.Serializable;
import java.util.HashMap;
import java.util.function.Supplier;
import org.apache.spark.sql.internal.SQLConf;
import scala.Tuple2;

/**
 * The SQL settings of a query, under which its tasks prepare Spark's code, on any thread.
 *
 * <p>Spark's generated code gets what depends on settings from Spark's driver. But expressions that
 * our tasks prepare read settings, so the settings are shipped with the expressions of a fragment,
 * which share one object. In a task, {@code SQLConf.get} may return the settings of another query,
 * namely of the one that reads a cached or checkpointed table or an RDD of this query, or none.
 * Thread-safe.
 */
public final class TaskSettings implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ThreadLocal<TaskSettings> OF_QUERY = new ThreadLocal<>();

  /** The settings that {@code SQLConf.get} has where the code is prepared. Used in trial plans. */
  private static final TaskSettings OF_CALLER = new TaskSettings(null);

  private final HashMap<String, String> settings; // null for the caller's
  private transient SQLConf conf;

  private TaskSettings(HashMap<String, String> settings) {
    this.settings = settings;
  }

  /**
   * Runs code on Spark's driver, such as binding a fragment's expressions, in which {@link
   * #ofQuery} returns the given settings.
   *
   * @param query settings of the query that is executed
   * @param work the code
   */
  public static <T> T forQuery(SQLConf query, Supplier<T> work) {
    TaskSettings before = OF_QUERY.get();
    OF_QUERY.set(new TaskSettings(confs(query)));
    try {
      return SQLConf.withExistingConf(query, work::get);
    } finally {
      OF_QUERY.set(before);
    }
  }

  private static HashMap<String, String> confs(SQLConf query) {
    HashMap<String, String> confs = new HashMap<>();
    for (Tuple2<String, String> setting :
        ScalaCollections.<Tuple2<String, String>>list(query.getAllConfs())) {
      confs.put(setting._1(), setting._2());
    }
    return confs;
  }

  /**
   * Returns the settings of the query whose expressions the calling thread binds. Outside {@link
   * #forQuery} it returns those of the preparing thread.
   */
  public static TaskSettings ofQuery() {
    TaskSettings ofQuery = OF_QUERY.get();
    return ofQuery == null ? OF_CALLER : ofQuery;
  }

  /** Runs code under these settings. */
  public <T> T with(Supplier<T> work) {
    return settings == null ? work.get() : SQLConf.withExistingConf(conf(), work::get);
  }

  private synchronized SQLConf conf() {
    if (conf == null) {
      SQLConf made = new SQLConf();
      settings.forEach(made::setConfString);
      conf = made;
    }
    return conf;
  }
}
