package io.ariadne.spill;

/**
 * Evicts the batches that are needed last: first batches of inactive partitions, then those whose
 * consumer is furthest from running. Of equal batches the smallest goes that covers what is
 * missing, so that little more is moved than was asked for; when none does, the largest.
 */
public final class PlanOrderEviction implements EvictionPolicy {
  /** Creates the policy. */
  public PlanOrderEviction() {}

  @Override
  public EvictionQueue newQueue() {
    return new PlanOrderQueue();
  }
}
