package io.ariadne.spill;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The memory in use of one space that its holders put away when asked. Thread-safe. */
final class Revocables implements Revocable.Registry {
  private static final Comparator<Candidate> LAST_NEEDED_FIRST =
      Comparator.comparing(Candidate::active)
          .thenComparing(Candidate::distance, Comparator.reverseOrder())
          .thenComparing(Candidate::bytes, Comparator.reverseOrder());

  private final Set<Revocable> all = ConcurrentHashMap.newKeySet();

  /** Putting away takes memory and may lack it, too: it is then not asked of others meanwhile. */
  private final ReentrantLock asking = new ReentrantLock();

  /** A snapshot: sorting needs keys that stay. */
  private record Candidate(Revocable memory, boolean active, int distance, long bytes) {}

  /** Adds one. */
  Revocable add(SpillPlacement placement, Revocable.Holder holder) {
    Revocable added = new Revocable(placement, holder, this);
    all.add(added);
    return added;
  }

  /**
   * Asks holders for memory: first what nobody uses, then what is in use; in each those first whose
   * work is needed last, among equals first who has most.
   *
   * @param bytes how much is wanted
   * @param leastBytes who has less is not asked
   * @return whether something was put away now; what is in use follows when that has ended
   */
  boolean revoke(long bytes, long leastBytes) {
    if (all.isEmpty() || asking.isHeldByCurrentThread() || !asking.tryLock()) {
      return false;
    }
    try {
      List<Candidate> candidates = candidates(leastBytes);
      long missing = bytes;
      for (int i = 0; i < candidates.size() && missing > 0; i++) {
        boolean revoked = candidates.get(i).memory().revokeIfFree();
        missing -= revoked ? candidates.get(i).bytes() : 0;
      }
      boolean anyRevoked = missing < bytes;
      // What is in use comes later, that of the calling thread not before it goes on.
      for (int i = 0; i < candidates.size() && missing > 0; i++) {
        boolean comes = candidates.get(i).memory().ask();
        missing -= comes ? candidates.get(i).bytes() : 0;
      }
      return anyRevoked;
    } finally {
      asking.unlock();
    }
  }

  /** Returns whether the calling thread is within {@link #revoke}. */
  boolean isAskedForByThisThread() {
    return asking.isHeldByCurrentThread();
  }

  private List<Candidate> candidates(long leastBytes) {
    return all.stream()
        .map(
            each ->
                new Candidate(
                    each,
                    each.placement().isActive(),
                    each.placement().distanceToUse(),
                    each.heldBytes()))
        .filter(each -> each.bytes() > 0 && each.bytes() >= leastBytes)
        .sorted(LAST_NEEDED_FIRST)
        .toList();
  }

  @Override
  public boolean wants(Revocable used) {
    return false;
  }

  @Override
  public void closed(Revocable closed) {
    all.remove(closed);
  }

  /** Returns how many are not closed. */
  int count() {
    return all.size();
  }
}
