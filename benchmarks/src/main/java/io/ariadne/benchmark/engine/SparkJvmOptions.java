package io.ariadne.benchmark.engine;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;

/** The JVM options Spark needs on the running JDK, as Spark's own launcher gives them. */
final class SparkJvmOptions {
  private SparkJvmOptions() {}

  static List<String> get() {
    return Arrays.stream(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+")).toList();
  }
}
