package io.ariadne.bridge.task;

import io.ariadne.bridge.ScalaCollections;
import java.io.Serializable;
import java.util.HashMap;
import java.util.function.Supplier;
import org.apache.spark.sql.internal.SQLConf;
import scala.Tuple2;

/**
 * The SQL settings of a query, under which its tasks prepare Spark's code, on whatever thread.
 *
 * <p>Spark's generated code has what depends on settings from the driver. The expressions that
 * tasks of ours prepare read settings, so those travel with the expressions of a fragment, which
 * share one object. What {@code SQLConf.get} has in a task may be those of another query: of the
 * one that reads a cached or checkpointed table or an RDD of this query; or none. Thread-safe.
 */
public final class TaskSettings implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ThreadLocal<TaskSettings> OF_QUERY = new ThreadLocal<>();

  /** What {@code SQLConf.get} has where the code is prepared: that of a plan made for trial. */
  private static final TaskSettings OF_CALLER = new TaskSettings(null);

  private final HashMap<String, String> settings; // null for those of the caller
  private transient SQLConf conf;

  private TaskSettings(HashMap<String, String> settings) {
    this.settings = settings;
  }

  /**
   * Does something on the driver, such as binding a fragment's expressions, for which {@link
   * #ofQuery} are these.
   *
   * @param query the settings of the query that is executed
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
   * Returns the settings of the query whose expressions the calling thread binds; outside of {@link
   * #forQuery} those that the preparing thread has.
   */
  public static TaskSettings ofQuery() {
    TaskSettings ofQuery = OF_QUERY.get();
    return ofQuery == null ? OF_CALLER : ofQuery;
  }

  /** Does something under these settings. */
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
