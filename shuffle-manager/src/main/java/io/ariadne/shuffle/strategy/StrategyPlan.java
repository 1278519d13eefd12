package io.ariadne.shuffle.strategy;

import java.io.Serializable;

/**
 * How one shuffle moves its rows. Decided on Spark's driver; shipped to executors.
 *
 * @param strategy what executors do
 * @param owners where partitions are copied to; null unless the strategy sends to owners
 * @param reason why this strategy, for people
 */
public record StrategyPlan(ShuffleStrategy strategy, PartitionOwners owners, String reason)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Checks that owners are where they are needed. */
  public StrategyPlan {
    if (strategy.sendsToOwners() != (owners != null)) {
      throw new IllegalArgumentException(strategy + " with owners " + owners);
    }
  }

  /** Returns whether map outputs are copied before reduce tasks ask for them. */
  public boolean copies() {
    return strategy != ShuffleStrategy.SIMPLE;
  }

  @Override
  public String toString() {
    return strategy + ", because " + reason;
  }
}
