package io.ariadne.benchmark.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import scala.util.Properties;

/**
 * Spark's {@code local-cluster} mode: a driver, which is the worker JVM of the benchmarks, and
 * executors in processes of their own on this machine. Executors have the class path of the driver.
 */
final class SparkCluster {
  /** The heap of the driver, which executes no task. */
  static final int DRIVER_MEGABYTES = 1024;

  private static final String LOGGING = "-Dlog4j2.configurationFile=log4j2-benchmark.properties";

  private SparkCluster() {}

  /**
   * Returns Spark's settings.
   *
   * @param heapMegabytes of each executor
   * @param options of the executors' JVMs
   */
  static Map<String, String> settings(
      int executors, int coresPerExecutor, int heapMegabytes, List<String> options) {
    List<String> all = new ArrayList<>(options);
    all.add(LOGGING);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(
        "spark.master",
        "local-cluster[%d,%d,%d]".formatted(executors, coresPerExecutor, heapMegabytes));
    settings.put("spark.executor.memory", heapMegabytes + "m");
    settings.put("spark.executor.extraClassPath", System.getProperty("java.class.path"));
    settings.put("spark.executor.extraJavaOptions", String.join(" ", all));
    // All executors take part in the first query too. Spark expects as many cores.
    settings.put("spark.cores.max", String.valueOf(executors * coresPerExecutor));
    settings.put("spark.scheduler.minRegisteredResourcesRatio", "1.0");
    return settings;
  }

  /**
   * Lays out the folder that Spark takes for its distribution, without jars, because executors take
   * them from the class path. The outputs of executors are in its folder {@code work}.
   *
   * @return environment variables of the driver
   */
  static Map<String, String> environment(Path home) throws IOException {
    Files.createDirectories(home.resolve("jars"));
    Files.writeString(home.resolve("RELEASE"), "");
    String version = Properties.versionNumberString();
    return Map.of(
        "SPARK_HOME",
        home.toString(),
        "SPARK_SCALA_VERSION",
        version.substring(0, version.lastIndexOf('.')));
  }
}
