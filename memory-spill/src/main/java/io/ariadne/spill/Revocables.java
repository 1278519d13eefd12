package io.ariadne.spill;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The memory in use of one space that its holders put away when asked. Thread-safe. */
final class Revocables implements Revocable.Registry {
  private static final Comparator<Candidate> LAST_NEEDED_FIRST =
      Comparator.comparing(Candidate::active)
          .thenComparing(Candidate::distance, Comparator.reverseOrder())
          .thenComparing(Candidate::bytes, Comparator.reverseOrder());

  private final Set<Revocable> all = ConcurrentHashMap.newKeySet();

  /** Putting away takes memory and may lack it, too: it is then not asked of others meanwhile. */
  private final ReentrantLock asking = new ReentrantLock();

  /** Is told when one may be put away that was in use until then. */
  private final Runnable onFree;

  /** A snapshot: sorting needs keys that stay. */
  private record Candidate(Revocable memory, boolean active, int distance, long bytes) {}

  /**
   * Creates none.
   *
   * @param onFree is told when one may be put away that was in use until then, by any thread
   */
  Revocables(Runnable onFree) {
    this.onFree = onFree;
  }

  /** Adds one. */
  Revocable add(SpillPlacement placement, Revocable.Holder holder) {
    Revocable added = new Revocable(placement, holder, this);
    all.add(added);
    return added;
  }

  /**
   * Has put away what nobody uses: that first whose work is needed last, among equals first of who
   * has most.
   *
   * @param bytes how much is wanted
   * @param leastBytes who has less is not asked
   * @return whether something was put away
   */
  boolean revokeIdle(long bytes, long leastBytes) {
    return goThrough(() -> askKnown(bytes, leastBytes, Revocable::revokeIfFree) > 0);
  }

  /**
   * Asks for what is in use, in the same order: it is put away when that has ended, that of the
   * calling thread not before it goes on. When that does not suffice and everybody is asked, those
   * are, too, of whom nobody knows yet how much they have.
   *
   * @param bytes how much is wanted
   * @param leastBytes who has less is not asked
   */
  void ask(long bytes, long leastBytes) {
    goThrough(
        () -> {
          boolean suffices = askKnown(bytes, leastBytes, Revocable::ask) >= bytes;
          if (!suffices && leastBytes == 0) {
            all.forEach(Revocable::askUnknown);
          }
          return suffices;
        });
  }

  /** Goes through all unless another thread does; returns what came of it, or false. */
  private boolean goThrough(BooleanSupplier turn) {
    if (all.isEmpty() || asking.isHeldByCurrentThread() || !asking.tryLock()) {
      return false;
    }
    try {
      return turn.getAsBoolean();
    } finally {
      asking.unlock();
    }
  }

  /** Returns the bytes of those that have put something away or will, until they suffice. */
  private long askKnown(long bytes, long leastBytes, Predicate<Revocable> asked) {
    long covered = 0;
    for (Candidate candidate : candidates(leastBytes)) {
      if (covered < bytes && asked.test(candidate.memory())) {
        covered += candidate.bytes();
      }
    }
    return covered;
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
  public void free(Revocable unused) {
    onFree.run();
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
