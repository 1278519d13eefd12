package io.ariadne.spill;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The revocable memory of one memory space. Thread-safe. */
final class Revocables implements Revocable.Registry {
  private static final Comparator<Candidate> LAST_NEEDED_FIRST =
      Comparator.comparing(Candidate::active)
          .thenComparing(Candidate::distance, Comparator.reverseOrder())
          .thenComparing(Candidate::bytes, Comparator.reverseOrder());

  private final Set<Revocable> all = ConcurrentHashMap.newKeySet();

  /** Held while memory is revoked, which may lack memory itself: no second revocation then. */
  private final ReentrantLock asking = new ReentrantLock();

  /** Called when memory may be revoked that was in use until then. */
  private final Runnable onFree;

  /** A snapshot: sorting needs keys that stay. */
  private record Candidate(Revocable memory, boolean active, int distance, long bytes) {}

  /**
   * Creates an empty registry.
   *
   * @param onFree called by any thread when memory may be revoked that was in use until then
   */
  Revocables(Runnable onFree) {
    this.onFree = onFree;
  }

  /** Registers revocable memory. */
  Revocable add(SpillPlacement placement, Revocable.Holder holder) {
    Revocable added = new Revocable(placement, holder, this);
    all.add(added);
    return added;
  }

  /**
   * Revokes memory that is not in use at the moment: memory that is needed last goes first, of
   * equal memory the largest.
   *
   * @param bytes how much is wanted
   * @param leastBytes smaller memory stays
   * @return whether any memory was revoked
   */
  boolean revokeIdle(long bytes, long leastBytes) {
    return runAlone(() -> askKnown(bytes, leastBytes, Revocable::revokeIfFree) > 0);
  }

  /**
   * Asks for memory in use, in the same order: the holder revokes it at the end of the use. Memory
   * that the calling thread uses is revoked after this thread continues. When that does not suffice
   * and {@code leastBytes} is 0, memory of unknown size is asked for, too.
   *
   * @param bytes how much is wanted
   * @param leastBytes smaller memory stays
   */
  void ask(long bytes, long leastBytes) {
    runAlone(
        () -> {
          boolean suffices = askKnown(bytes, leastBytes, Revocable::ask) >= bytes;
          if (!suffices && leastBytes == 0) {
            all.forEach(Revocable::askUnknown);
          }
          return suffices;
        });
  }

  /** Runs an action unless another thread runs one; returns its result, or false. */
  private boolean runAlone(BooleanSupplier action) {
    if (all.isEmpty() || asking.isHeldByCurrentThread() || !asking.tryLock()) {
      return false;
    }
    try {
      return action.getAsBoolean();
    } finally {
      asking.unlock();
    }
  }

  /** Returns the bytes of memory that is revoked now or later, up to the wanted bytes. */
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

  /** Returns the number of revocables that are not closed. */
  int count() {
    return all.size();
  }
}
