package io.ariadne.shuffle;

import io.ariadne.plugin.config.ShuffleMode;
import io.ariadne.plugin.config.ShuffleStrategyChoice;
import io.ariadne.plugin.config.ShuffleTransportPlan;
import io.ariadne.plugin.config.StartupConfig;
import io.ariadne.shuffle.spark.InMemoryShuffleManager;
import java.util.Optional;
import org.apache.spark.SparkConf;

/**
 * The shuffle manager that users turn on by {@code --conf
 * spark.shuffle.manager=io.ariadne.shuffle.AriadneShuffleManager}: an {@link
 * InMemoryShuffleManager} that keeps map outputs in memory when the application's settings allow it
 * ({@link ShuffleMode}).
 */
public final class AriadneShuffleManager extends InMemoryShuffleManager {
  /**
   * Creates the manager; Spark calls this.
   *
   * @param conf the application's settings
   * @param isDriver whether this is the process of Spark's driver
   */
  public AriadneShuffleManager(SparkConf conf, boolean isDriver) {
    super(
        conf,
        mode(conf, isDriver).keepsOutputs(),
        ShuffleStrategyChoice.of(conf).strategy(),
        () -> againstCopies(conf));
  }

  /** Returns why executors copy no rows of each other; empty when they do. */
  private static Optional<String> againstCopies(SparkConf conf) {
    ShuffleTransportPlan plan = ShuffleTransportPlan.of(conf, StartupConfig.of(conf).shuffle());
    return plan.isOurs() ? Optional.empty() : Optional.of("to copy rows, " + plan.advice());
  }

  private static ShuffleMode mode(SparkConf conf, boolean isDriver) {
    if (isDriver) {
      ShuffleMode.prepare(conf);
    }
    return ShuffleMode.of(conf);
  }
}
