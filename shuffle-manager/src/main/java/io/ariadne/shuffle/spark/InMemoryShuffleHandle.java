package io.ariadne.shuffle.spark;

import io.ariadne.shuffle.strategy.StrategyPlan;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.shuffle.BaseShuffleHandle;

/** A shuffle whose map outputs stay in the memory tiers of executors. Shipped to executors. */
final class InMemoryShuffleHandle<K, V, C> extends BaseShuffleHandle<K, V, C> {
  private static final long serialVersionUID = 1L;

  private final StrategyPlan plan;

  InMemoryShuffleHandle(int shuffleId, ShuffleDependency<K, V, C> dependency, StrategyPlan plan) {
    super(shuffleId, dependency);
    this.plan = plan;
  }

  /** Returns how the rows get to reduce tasks. */
  StrategyPlan plan() {
    return plan;
  }
}
