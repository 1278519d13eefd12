package io.ariadne;

import io.ariadne.plugin.AriadneDriverPlugin;
import io.ariadne.plugin.AriadneExecutorPlugin;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Ariadne as a Spark plugin, which {@code --conf spark.plugins=io.ariadne.AriadnePlugin} enables.
 *
 * <p>On Spark's driver it adds planner rules to sessions and never loads native code. On executors
 * it starts the runtime that executes fragments.
 */
public final class AriadnePlugin implements SparkPlugin {
  /** Creates the plugin; Spark calls this. */
  public AriadnePlugin() {}

  @Override
  public DriverPlugin driverPlugin() {
    return new AriadneDriverPlugin();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new AriadneExecutorPlugin();
  }
}
