package io.ariadne.fragment;

import io.ariadne.spill.EvictionPolicy;
import io.ariadne.spill.EvictionQueue;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Evicts batches in the order of their last use, however soon they are needed. */
final class LeastRecentlyUsed implements EvictionPolicy {
  @Override
  public EvictionQueue newQueue() {
    return new Queue();
  }

  private static final class Queue implements EvictionQueue {
    private final Set<SpillableBatch> batches = new LinkedHashSet<>();

    @Override
    public synchronized void add(SpillableBatch batch) {
      batches.remove(batch);
      batches.add(batch);
    }

    @Override
    public synchronized void remove(SpillableBatch batch) {
      batches.remove(batch);
    }

    @Override
    public synchronized List<SpillableBatch> chooseVictims(long bytesWanted, boolean takesNear) {
      List<SpillableBatch> victims = new ArrayList<>();
      long missing = bytesWanted;
      for (SpillableBatch batch : batches) {
        long bytes = batch.freeableBytes();
        if (missing > 0 && bytes > 0) {
          victims.add(batch);
          missing -= bytes;
        }
      }
      return victims;
    }
  }
}
