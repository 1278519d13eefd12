package io.ariadne.plugin.cleanup;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How much time collections may take. */
class TestCollectionBudget {
  private static final long GIB = 1L << 30;
  private static final long MS = 1_000_000;

  private static final long MINUTE = 60_000 * MS;

  private final CollectionBudget budget = new CollectionBudget(Long.MAX_VALUE - MINUTE);

  /** Returns a time after the begin of the application; the clock wraps after a minute. */
  private static long at(long nanos) {
    return Long.MAX_VALUE - MINUTE + nanos;
  }

  @Test
  void theFirstCollectionOfALargeHeapComesLate() {
    assertTrue(budget.allows(at(0), 2 * GIB));
    assertFalse(budget.allows(at(0), 3 * GIB));
    assertFalse(budget.allows(at(10 * MINUTE - 1), 3 * GIB));
    assertTrue(budget.allows(at(10 * MINUTE), 3 * GIB));
  }

  @Test
  void collectionsTakeAtMostTwoPercent() {
    budget.spent(at(1000 * MS), 100 * MS);
    assertFalse(budget.allows(at(5999 * MS), GIB));
    assertTrue(budget.allows(at(6000 * MS), 100 * GIB), "the time has been measured");
    budget.spent(at(59_000 * MS), 400 * MS);
    assertFalse(budget.allows(at(78_999 * MS), GIB));
    assertTrue(budget.allows(at(79_000 * MS), GIB));
  }

  @Test
  void longCollectionsAreTenMinutesApart() {
    budget.spent(at(0), 501 * MS);
    assertFalse(budget.allows(at(10 * MINUTE - 1), GIB));
    assertTrue(budget.allows(at(10 * MINUTE), GIB));
    budget.spent(at(10 * MINUTE), MINUTE);
    assertFalse(budget.allows(at(60 * MINUTE - 1), GIB));
    assertTrue(budget.allows(at(60 * MINUTE), GIB));
  }
}
