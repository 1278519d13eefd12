package io.ariadne.spill;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Evicts in plan order and counts how often no batch may be evicted. */
final class ObservedEviction implements EvictionPolicy {
  private final AtomicInteger emptyChoices = new AtomicInteger();

  /** Returns how often a thread has looked for victims and found none. */
  int emptyChoices() {
    return emptyChoices.get();
  }

  @Override
  public EvictionQueue newQueue() {
    EvictionQueue queue = new PlanOrderEviction().newQueue();
    return new EvictionQueue() {
      @Override
      public void add(SpillableBatch batch) {
        queue.add(batch);
      }

      @Override
      public void remove(SpillableBatch batch) {
        queue.remove(batch);
      }

      @Override
      public List<SpillableBatch> chooseVictims(long bytesWanted, boolean takesNear) {
        List<SpillableBatch> victims = queue.chooseVictims(bytesWanted, takesNear);
        if (victims.isEmpty()) {
          emptyChoices.incrementAndGet();
        }
        return victims;
      }
    };
  }
}
