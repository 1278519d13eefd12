package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.shuffle.AriadneShuffleManager;
import java.util.Arrays;
import java.util.Map;

/** Repeats {@link AdaptiveExchangeIT} with map outputs in memory. */
class InMemoryAdaptiveExchangeIT extends AdaptiveExchangeIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }

  /** Strings are sent as characters, though they may be kept as codes. */
  @Override
  void checkMapSizes(long[] bytes) {
    long all = Arrays.stream(bytes).sum();
    assertTrue(
        all > textBytes() / 2 && all < 2 * textBytes(),
        () -> Arrays.toString(bytes) + " for " + textBytes() + " bytes of strings");
  }
}
