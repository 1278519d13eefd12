package io.ariadne.testing;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips six sevenths of the longest tests: the integration tests that are not {@link InEveryBuild},
 * the tests of kernels on back ends other than the host, those of transports over a slow link, and
 * what is marked as a {@link LongTest}. Another seventh runs each hour, so a day of builds runs all
 * of them.
 *
 * <p>Maven sets the properties. Without them all tests run. An IDE that takes properties from the
 * POM skips tests, too: set {@value #TESTS} to {@code all} in its run configuration.
 *
 * <ul>
 *   <li>{@value #TESTS}: {@code share}, the default of a build, or {@code all}; a build that names
 *       tests ({@code -Dtest}, {@code -Dit.test}) runs all that it names;
 *   <li>{@value #TURN}: a number that chooses the seventh; a build takes the hour in which it
 *       starts.
 * </ul>
 */
public final class TestShare implements ExecutionCondition {
  /**
   * JUnit's parameter by which it finds this condition. A test that runs test classes itself sets
   * it to false for them.
   */
  public static final String DETECTION = "junit.jupiter.extensions.autodetection.enabled";

  static final String TESTS = "ariadne.tests";
  static final String TURN = "ariadne.tests.turn";
  static final int SHARES = 7;

  /** Found by trial with measured times: shares of the present tests take about the same time. */
  private static final String SALT = "152054";

  private static final Pattern LONG_TESTS =
      Pattern.compile("[A-Za-z0-9]+IT|Test(FakeCuda|Emulated|Simulated|Transports)[A-Za-z0-9]*");

  /** Creates the condition; JUnit calls this. */
  public TestShare() {}

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<Class<?>> type = context.getTestClass();
    if (type.isEmpty() || !"share".equals(System.getProperty(TESTS))) {
      return ConditionEvaluationResult.enabled("all tests run");
    }
    long turn = turn(System.getProperty(TURN));
    return runs(topLevel(type.get()), context.getTestMethod(), turn)
        ? ConditionEvaluationResult.enabled("of this build's share")
        : ConditionEvaluationResult.disabled(
            "another build's share: -D" + TESTS + "=all runs it, and so does naming it");
  }

  /**
   * Returns whether something runs in a build.
   *
   * @param type a test class of the top level
   * @param test one of its tests; empty for the class
   */
  static boolean runs(Class<?> type, Optional<Method> test, long turn) {
    if (type.isAnnotationPresent(InEveryBuild.class)) {
      return true;
    }
    if (isLong(type)) {
      return isOfShare(type.getSimpleName(), turn);
    }
    return test.filter(method -> method.isAnnotationPresent(LongTest.class))
        .map(method -> isOfShare(type.getSimpleName() + "." + method.getName(), turn))
        .orElse(true);
  }

  private static boolean isLong(Class<?> type) {
    return type.isAnnotationPresent(LongTest.class)
        || LONG_TESTS.matcher(type.getSimpleName()).matches();
  }

  /**
   * Returns the number that chooses the share.
   *
   * @param value a number, or an instant as Maven prints it, of which the hours since 1970 count
   * @throws IllegalArgumentException if it is neither
   */
  static long turn(String value) {
    try {
      return value != null && value.contains("T")
          ? Instant.parse(value).getEpochSecond() / 3600
          : Long.parseLong(value);
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "-D%s=%s is not valid: give a number, or run all tests with -D%s=all"
              .formatted(TURN, value, TESTS),
          e);
    }
  }

  /** Returns whether a test is of a turn's share. Hashed names keep similar tests apart. */
  private static boolean isOfShare(String name, long turn) {
    CRC32 hash = new CRC32();
    hash.update((SALT + name).getBytes(StandardCharsets.UTF_8));
    return hash.getValue() % SHARES == Math.floorMod(turn, SHARES);
  }

  private static Class<?> topLevel(Class<?> type) {
    Class<?> top = type;
    while (top.getEnclosingClass() != null) {
      top = top.getEnclosingClass();
    }
    return top;
  }
}
