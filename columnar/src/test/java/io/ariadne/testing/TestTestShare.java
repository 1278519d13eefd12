package io.ariadne.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "x", "2026-11-28T"})
  void nameOfTheSettingIsInTheError(String value) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> TestShare.turn(value)).getMessage();
    assertTrue(message.contains("-Dariadne.tests.turn=" + value), message);
  }

  @Test
  void buildAppliesTheCondition() {
    assertTrue(
        ServiceLoader.load(Extension.class).stream()
            .anyMatch(provider -> provider.type() == TestShare.class));
    assumeTrue(System.getProperty(TestShare.TESTS) != null, "Maven runs this test");
    assertEquals("true", System.getProperty(TestShare.DETECTION));
    TestShare.turn(System.getProperty(TestShare.TURN));
  }

  private static int turnsOf(Class<?> type) {
    int turns = 0;
    for (int turn = 100; turn < 105; turn++) {
      turns += TestShare.runs(type, turn) ? 1 : 0;
    }
    return turns;
  }
}
