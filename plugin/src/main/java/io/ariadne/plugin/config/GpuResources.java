package io.ariadne.plugin.config;

import io.ariadne.backend.cuda.GpuRequest;
import io.ariadne.executor.DeviceMemoryShare;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.resource.ResourceInformation;

/** Which GPU Spark has given an executor, and how much of its memory the executor may take. */
public final class GpuResources {
  private static final String RESOURCE = "gpu";
  private static final String AMOUNT = "spark.executor.resource.gpu.amount";

  /** In local mode the driver's resources are the executor's. */
  private static final String LOCAL_AMOUNT = "spark.driver.resource.gpu.amount";

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
        : new GpuRequest(
            List.of(given.addresses()), ExecutorCores.isLocal(master) ? LOCAL_AMOUNT : AMOUNT);
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
    if (ExecutorCores.isLocal(ExecutorCores.master(conf))) {
      return DeviceMemoryShare.among(1, "local mode");
    }
    int executors = ExecutorCores.executorsPerMachine(conf, processors);
    String reason = executors == 1 ? "1 executor fits" : executors + " executors fit";
    return DeviceMemoryShare.among(
        executors, reason + " this machine; see " + ConfigKeys.GPU_ALLOC_FRACTION.name());
  }
}
