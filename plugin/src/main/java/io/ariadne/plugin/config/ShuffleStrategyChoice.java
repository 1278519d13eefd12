package io.ariadne.plugin.config;

import io.ariadne.shuffle.strategy.ShuffleStrategy;
import java.util.Optional;
import org.apache.spark.SparkConf;

/** How the rows of shuffles move from map tasks to reduce tasks. */
public enum ShuffleStrategyChoice {
  /** The one that is best as far as is known. */
  AUTO(null),
  /** Reduce tasks read map outputs where map tasks have left them. */
  SIMPLE(ShuffleStrategy.SIMPLE),
  /** Executors merge their own map outputs. */
  MERGE(ShuffleStrategy.MERGE),
  /** Map outputs are copied to the executors of the reduce tasks. */
  PUSH(ShuffleStrategy.PUSH),
  /** Map outputs are moved to the executors of the reduce tasks. */
  MOVE(ShuffleStrategy.MOVE);

  private final ShuffleStrategy strategy;

  ShuffleStrategyChoice(ShuffleStrategy strategy) {
    this.strategy = strategy;
  }

  /** Returns the choice of an application's settings. */
  public static ShuffleStrategyChoice of(SparkConf conf) {
    String text =
        conf.get(ConfigKeys.SHUFFLE_STRATEGY.name(), ConfigKeys.SHUFFLE_STRATEGY.defaultText());
    return ConfigKeys.SHUFFLE_STRATEGY.parse(text);
  }

  /** Returns whether executors tell each other about map outputs. */
  public boolean sendsNotices() {
    return strategy != null && strategy.sendsToOwners();
  }

  /** Returns the strategy of all shuffles; empty for {@link #AUTO}. */
  public Optional<ShuffleStrategy> strategy() {
    return Optional.ofNullable(strategy);
  }
}
