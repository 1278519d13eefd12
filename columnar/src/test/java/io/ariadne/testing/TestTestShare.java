package io.ariadne.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
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

  @LongTest
  private static final class TestEverything {}

  /** A class with a long test, whose subclass is long as a whole. */
  @SuppressWarnings("UnusedMethod") // found by their names
  private static class TestSort {
    @LongTest
    void sortsAll() {}

    void sortsNothing() {}
  }

  private static final class TestFakeCudaSort extends TestSort {}

  @InEveryBuild
  private static final class SmokeIT extends TestSort {}

  @Test
  void everyLongClassRunsInOneTurn() {
    for (Class<?> type :
        List.of(
            JoinIT.class, TestEmulatedSort.class, TestSimulatedJoin.class, TestEverything.class)) {
      assertEquals(1, turnsOf(type), type::getSimpleName);
    }
  }

  @Test
  void otherTestsRunInEachTurn() throws NoSuchMethodException {
    assertEquals(TestShare.SHARES, turnsOf(TestTestShare.class));
    assertEquals(TestShare.SHARES, turnsOf(SmokeIT.class));
    assertEquals(TestShare.SHARES, turnsOf(SmokeIT.class, "sortsAll").size());
    assertEquals(TestShare.SHARES, turnsOf(TestSort.class));
    assertEquals(TestShare.SHARES, turnsOf(TestSort.class, "sortsNothing").size());
  }

  @Test
  void everyLongTestRunsInOneTurn() throws NoSuchMethodException {
    assertEquals(1, turnsOf(TestSort.class, "sortsAll").size());
    List<Integer> turns = turnsOf(TestFakeCudaSort.class, "sortsNothing");
    assertEquals(1, turns.size());
    assertEquals(turns, turnsOf(TestFakeCudaSort.class, "sortsAll"));
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
    return (int) turns().filter(turn -> TestShare.runs(type, Optional.empty(), turn)).count();
  }

  private static List<Integer> turnsOf(Class<?> type, String name) throws NoSuchMethodException {
    Optional<Method> test = Optional.of(TestSort.class.getDeclaredMethod(name));
    return turns().filter(turn -> TestShare.runs(type, test, turn)).boxed().toList();
  }

  private static IntStream turns() {
    return IntStream.range(100, 100 + TestShare.SHARES);
  }
}
