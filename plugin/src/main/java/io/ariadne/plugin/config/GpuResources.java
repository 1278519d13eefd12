package io.ariadne.plugin.config;

import io.ariadne.backend.cuda.GpuRequest;
import io.ariadne.executor.DeviceMemoryShare;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.resource.ResourceInformation;

/** Which GPU Spark has given an executor, and how much of its memory the executor may take. */
public final class GpuResources {
  private static final String RESOURCE = "gpu";
  private static final String AMOUNT = "spark.executor.resource.gpu.amount";

  /** In local mode the driver's resources are the executor's. */
  private static final String LOCAL_AMOUNT = "spark.driver.resource.gpu.amount";

  private static final String EXECUTOR_CORES = "spark.executor.cores";
  private static final Pattern LOCAL_CLUSTER =
      Pattern.compile("local-cluster\\[\\s*(\\d+)\\s*,\\s*(\\d+)\\s*,.*");

  private GpuResources() {}

  /**
   * Returns which GPU to take: the first that Spark has given, or any when it gives none.
   *
   * @param resources what Spark has given the executor, by name
   * @param master Spark's
   */
  public static GpuRequest request(Map<String, ResourceInformation> resources, String master) {
    ResourceInformation given = resources.get(RESOURCE);
    return given == null
        ? GpuRequest.ANY
        : new GpuRequest(List.of(given.addresses()), isLocal(master) ? LOCAL_AMOUNT : AMOUNT);
  }

  /**
   * Returns how much of the GPU's memory to take, unless the GPU turns out to be the executor's
   * own.
   *
   * @param settings say how much, or leave it to this
   * @param conf Spark's settings
   * @param processors of the machine, as far as the process may use them
   */
  public static DeviceMemoryShare share(
      StartupConfig.Gpu settings, SparkConf conf, int processors) {
    if (settings.allocFraction().isPresent()) {
      return DeviceMemoryShare.of(
          settings.allocFraction().getAsDouble(), ConfigKeys.GPU_ALLOC_FRACTION.name());
    }
    String master = conf.get("spark.master", "");
    if (isLocal(master)) {
      return DeviceMemoryShare.among(1, "local mode");
    }
    int executors = executors(master, conf, processors);
    String reason = executors == 1 ? "1 executor fits" : executors + " executors fit";
    return DeviceMemoryShare.among(
        executors, reason + " this machine; see " + ConfigKeys.GPU_ALLOC_FRACTION.name());
  }

  /** Returns whether the driver's process is the only executor. */
  public static boolean isLocal(String master) {
    return master.startsWith("local") && !master.startsWith("local-cluster");
  }

  /** Returns how many executors may run on this machine. */
  private static int executors(String master, SparkConf conf, int processors) {
    Matcher cluster = LOCAL_CLUSTER.matcher(master);
    if (cluster.matches()) {
      int cores = Integer.parseInt(cluster.group(2));
      return Integer.parseInt(cluster.group(1)) * perWorker(conf, cores, cores);
    }
    boolean takesOneCore = master.startsWith("yarn") || master.startsWith("k8s");
    return perWorker(conf, processors, takesOneCore ? 1 : processors);
  }

  /**
   * Returns how many executors fit a worker.
   *
   * @param coresByDefault what an executor takes unless it is told how many: Spark's own default,
   *     one core on YARN and Kubernetes, all of a standalone worker
   */
  private static int perWorker(SparkConf conf, int cores, int coresByDefault) {
    return Math.max(1, cores / Math.max(1, conf.getInt(EXECUTOR_CORES, coresByDefault)));
  }
}
