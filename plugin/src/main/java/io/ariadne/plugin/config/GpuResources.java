package io.ariadne.plugin.config;

import io.ariadne.backend.cuda.GpuRequest;
import io.ariadne.executor.DeviceMemoryShare;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.resource.ResourceInformation;

/** Determines which GPU an executor uses, and how much of its memory. */
public final class GpuResources {
  private static final String RESOURCE = "gpu";
  private static final String AMOUNT = "spark.executor.resource.gpu.amount";

  /** In local mode the resources of Spark's driver are those of the executor. */
  private static final String LOCAL_AMOUNT = "spark.driver.resource.gpu.amount";

  private GpuResources() {}

  /**
   * Returns the GPU to use: the first that Spark has assigned, or any GPU if Spark assigns none.
   *
   * @param resources the resources that Spark has assigned to the executor, by name
   * @param master Spark's master
   */
  public static GpuRequest request(Map<String, ResourceInformation> resources, String master) {
    ResourceInformation given = resources.get(RESOURCE);
    return given == null
        ? GpuRequest.ANY
        : new GpuRequest(
            List.of(given.addresses()), ExecutorCores.isLocal(master) ? LOCAL_AMOUNT : AMOUNT);
  }

  /**
   * Returns the share of the GPU's memory to use. It does not apply to a GPU that turns out to be
   * the executor's own.
   *
   * @param settings the configured fraction, if any
   * @param conf Spark's settings
   * @param processors processors that the process may use
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
