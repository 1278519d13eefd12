package io.ariadne.spill;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Those go first that are needed last: batches of partitions nobody works on, then those whose
 * consumer is furthest from running. Among equals the smallest that covers what is missing, so that
 * little more is moved than was asked for; when none does, the largest.
 */
public final class PlanOrderEviction implements EvictionPolicy {
  private static final Comparator<Candidate> LAST_NEEDED_FIRST =
      Comparator.comparing(Candidate::active)
          .thenComparing(Candidate::distance, Comparator.reverseOrder());

  /** A snapshot: sorting needs keys that stay. */
  private record Candidate(SpillableBatch batch, boolean active, int distance, long bytes) {}

  /** Creates the policy. */
  public PlanOrderEviction() {}

  @Override
  public List<SpillableBatch> chooseVictims(
      Collection<SpillableBatch> candidates, long bytesWanted) {
    List<Candidate> sorted = new ArrayList<>();
    for (SpillableBatch batch : candidates) {
      long bytes = batch.freeableBytes();
      if (bytes > 0) {
        SpillPlacement placement = batch.placement();
        sorted.add(new Candidate(batch, placement.isActive(), placement.distanceToUse(), bytes));
      }
    }
    sorted.sort(LAST_NEEDED_FIRST.thenComparingLong(Candidate::bytes));
    List<SpillableBatch> victims = new ArrayList<>();
    long missing = bytesWanted;
    int from = 0;
    while (from < sorted.size() && missing > 0) {
      int to = endOfEquals(sorted, from);
      missing = chooseAmongEquals(sorted.subList(from, to), missing, victims);
      from = to;
    }
    return victims;
  }

  private static int endOfEquals(List<Candidate> sorted, int from) {
    int to = from + 1;
    while (to < sorted.size() && LAST_NEEDED_FIRST.compare(sorted.get(from), sorted.get(to)) == 0) {
      to++;
    }
    return to;
  }

  /** Adds victims, smallest of the candidates first; returns what is still missing. */
  private static long chooseAmongEquals(
      List<Candidate> equals, long missing, List<SpillableBatch> victims) {
    long left = missing;
    int end = equals.size();
    while (end > 0 && left > 0) {
      int chosen = end - 1;
      while (chosen > 0 && equals.get(chosen - 1).bytes() >= left) {
        chosen--;
      }
      // The first that covers, else the largest of those left.
      victims.add(equals.get(chosen).batch());
      left -= equals.get(chosen).bytes();
      end = chosen;
    }
    return left;
  }
}
