package io.ariadne.plugin.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext$;

/** Computes the cores of an executor, from Spark's settings and its defaults for each master. */
public final class ExecutorCores {
  private static final String CORES = "spark.executor.cores";
  private static final String CORES_OF_TASK = "spark.task.cpus";
  private static final Pattern LOCAL_CLUSTER =
      Pattern.compile("local-cluster\\[\\s*(\\d+)\\s*,\\s*(\\d+)\\s*,.*");

  private ExecutorCores() {}

  /** Returns whether Spark's driver process is the only executor. */
  public static boolean isLocal(String master) {
    return master.startsWith("local") && !master.startsWith("local-cluster");
  }

  /** Returns Spark's master, or an empty string when there is none. */
  public static String master(SparkConf conf) {
    return conf.get("spark.master", "");
  }

  /**
   * Returns the number of tasks that run concurrently in an executor.
   *
   * @param processors processors that the process may use
   */
  public static int taskSlots(SparkConf conf, int processors) {
    return Math.max(1, cores(conf, processors) / Math.max(1, conf.getInt(CORES_OF_TASK, 1)));
  }

  /** Returns the number of executors that fit on this machine. */
  static int executorsPerMachine(SparkConf conf, int processors) {
    Matcher cluster = LOCAL_CLUSTER.matcher(master(conf));
    int workers = cluster.matches() ? Integer.parseInt(cluster.group(1)) : 1;
    int coresOfWorker = cluster.matches() ? Integer.parseInt(cluster.group(2)) : processors;
    return workers * Math.max(1, coresOfWorker / Math.max(1, cores(conf, processors)));
  }

  /**
   * Returns the cores of an executor. If they are not configured, Spark's default applies: one on
   * YARN and Kubernetes, all cores of a standalone worker, the cores of a worker of {@code
   * local-cluster}.
   */
  private static int cores(SparkConf conf, int processors) {
    String master = master(conf);
    if (isLocal(master)) {
      return SparkContext$.MODULE$.numDriverCores(master);
    }
    boolean takesOneCore = master.startsWith("yarn") || master.startsWith("k8s");
    Matcher cluster = LOCAL_CLUSTER.matcher(master);
    int coresOfWorker = cluster.matches() ? Integer.parseInt(cluster.group(2)) : processors;
    return conf.getInt(CORES, takesOneCore ? 1 : coresOfWorker);
  }
}
