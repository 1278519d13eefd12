package io.ariadne.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TestTestShare {
  /** Names as those of long tests. */
  private static final class JoinIT {}

  private static final class TestEmulatedSort {}

  private static final class TestSimulatedJoin {}

  @InEveryBuild
  private static final class SmokeIT {}

  @Test
  void everyLongTestRunsInOneOfFiveTurns() {
    for (Class<?> type : List.of(JoinIT.class, TestEmulatedSort.class, TestSimulatedJoin.class)) {
      assertEquals(1, turnsOf(type), type::getSimpleName);
    }
  }

  @Test
  void otherTestsRunInEachTurn() {
    assertEquals(5, turnsOf(TestTestShare.class));
    assertEquals(5, turnsOf(SmokeIT.class));
  }

  @Test
  void hourOfTheBuildChoosesTheShare() {
    assertEquals(7, TestShare.turn("7"));
    assertEquals(24, TestShare.turn("1970-01-02T00:59:59Z"));
    assertEquals(
        TestShare.turn("2026-11-28T09:00:00Z") + 1, TestShare.turn("2026-11-28T10:00:00Z"));
  }

  @Test
  void junitFindsTheCondition() {
    assertTrue(
        java.util.ServiceLoader.load(org.junit.jupiter.api.extension.Extension.class).stream()
            .anyMatch(provider -> provider.type() == TestShare.class));
  }

  private static int turnsOf(Class<?> type) {
    int turns = 0;
    for (int turn = 100; turn < 105; turn++) {
      turns += TestShare.runs(type, turn) ? 1 : 0;
    }
    return turns;
  }
}
