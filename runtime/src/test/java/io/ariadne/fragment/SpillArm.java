package io.ariadne.fragment;

import io.ariadne.executor.SpillPolicy;
import io.ariadne.spill.EvictionQueue;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillableBatch;
import java.util.List;

/** Ways to use memory that is too small for a query. */
enum SpillArm {
  /** Nothing leaves memory. */
  NONE(new SpillPolicy(NoEviction::new, 1, 1, false)),
  /** Batches leave when an allocation is refused, the least recently used one first. */
  REACTIVE(new SpillPolicy(new LeastRecentlyUsed(), 1, 1, false)),
  /** Batches leave in advance, the one that the plan needs last first. */
  PROACTIVE(new SpillPolicy(new PlanOrderEviction(), 0.95, 0.90, false)),
  /** As before, and they come back ahead of their use: what the runtime does. */
  PREFETCH(SpillPolicy.DEFAULT);

  private final SpillPolicy policy;

  SpillArm(SpillPolicy policy) {
    this.policy = policy;
  }

  SpillPolicy policy() {
    return policy;
  }

  private static final class NoEviction implements EvictionQueue {
    @Override
    public void add(SpillableBatch batch) {
      // never chosen
    }

    @Override
    public void remove(SpillableBatch batch) {
      // never there
    }

    @Override
    public List<SpillableBatch> chooseVictims(long bytesWanted, boolean takesNear) {
      return List.of();
    }
  }
}
