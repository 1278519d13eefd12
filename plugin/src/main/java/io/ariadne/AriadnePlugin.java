package io.ariadne;

import io.ariadne.plugin.AriadneDriverPlugin;
import io.ariadne.plugin.AriadneExecutorPlugin;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Ariadne as a Spark plugin: {@code --conf spark.plugins=io.ariadne.AriadnePlugin} turns it on.
 *
 * <p>The driver's part makes sessions plan for Ariadne and never loads native code; the executor's
 * part starts the runtime that fragments run in.
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
