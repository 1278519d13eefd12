package io.ariadne.fragment.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TestInFlightBudget {
  private static final long FIXED = 10_000;
  private static final long MOST = 40_000;
  private static final long SECOND = 1_000_000_000;

  private boolean scarce;
  private long now = 42;

  private InFlightBudget budget() {
    return new InFlightBudget(FIXED, MOST, () -> scarce, () -> now);
  }

  @Test
  void isFixedForOutputWhileMemoryIsPlentiful() {
    InFlightBudget budget = budget();
    for (int second = 0; second < 3; second++) {
      assertTrue(budget.allows(FIXED, FIXED - 1));
      assertFalse(budget.allows(FIXED, FIXED));
      assertFalse(budget.foundNone());
      now += SECOND;
    }
  }

  @Test
  void isThatOfAllFragmentsForInputWhileMemoryIsPlentiful() {
    InFlightBudget budget = budget();
    assertTrue(budget.allows(MOST - 1, FIXED - 1));
    assertFalse(budget.allows(MOST, 0));
    assertTrue(InFlightBudget.fixed(FIXED).allows(FIXED - 1, 0));
    assertFalse(InFlightBudget.fixed(FIXED).allows(FIXED, 0));
  }

  @Test
  void isWhatTheTaskTakesAheadWhileMemoryIsScarce() {
    InFlightBudget budget = budget();
    budget.taken(20_000);
    now += 2 * SECOND;
    scarce = true;
    assertEquals(1_000, budget.limitBytes()); // a tenth of a second
    budget.taken(100);
    assertEquals(1_000, budget.limitBytes());
    now += SECOND;
    assertEquals(10, budget.limitBytes());
    now += SECOND;
    assertEquals(0, budget.limitBytes());
    scarce = false;
    assertEquals(FIXED, budget.limitBytes());
  }

  @Test
  void exceedsTheFixedLimitForNoTask() {
    InFlightBudget budget = budget();
    budget.taken(1L << 40);
    now += SECOND;
    scarce = true;
    assertEquals(FIXED, budget.limitBytes());
  }

  @Test
  void allowsOutputInScarceMemoryIfNoneWaits() {
    scarce = true;
    InFlightBudget budget = budget();
    assertFalse(budget.allows(1, 1));
    assertTrue(budget.allows(FIXED - 1, 0));
    assertFalse(budget.allows(FIXED, 0));
    assertFalse(budget.foundNone(), "nothing was taken yet");
  }

  @Test
  void doublesEachTimeATaskThatTakesFindsNothing() {
    scarce = true;
    InFlightBudget budget = budget();
    budget.taken(700);
    assertTrue(budget.foundNone());
    assertEquals(1_400, budget.limitBytes());
    assertFalse(budget.foundNone(), "it has taken nothing since");
    budget.taken(700);
    assertTrue(budget.foundNone());
    assertEquals(2_800, budget.limitBytes());
    for (int i = 0; i < 3; i++) {
      budget.taken(700);
      budget.foundNone();
    }
    assertEquals(FIXED, budget.limitBytes());
  }

  @Test
  void keepsTheBudgetOfATaskThatFoundNothing() {
    scarce = true;
    InFlightBudget budget = budget();
    budget.taken(700);
    budget.foundNone();
    now += SECOND;
    assertEquals(1_400, budget.limitBytes());
    now += SECOND;
    assertEquals(0, budget.limitBytes(), "nothing was taken in this second");
  }

  @Test
  void refusesNegativeTimesAndSizes() {
    assertThrows(IllegalArgumentException.class, () -> new SourceBudget(0, 0, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new SourceBudget(1, -1, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new SourceBudget(1, 0, 0, -1));
  }

  @Test
  void countsWhatIsHeldAgainstTheBudget() {
    SourceBudget budget = new SourceBudget(SECOND, SECOND / 2, 0, 100);
    assertEquals(-20, budget.bytes(120));
    assertFalse(budget.isDue(SECOND - 1));
    assertTrue(budget.isDue(SECOND));
    budget.estimate(SECOND, 100, 60);
    assertEquals(10, budget.bytes(120));
    assertFalse(budget.isDue(SECOND));
  }
}
