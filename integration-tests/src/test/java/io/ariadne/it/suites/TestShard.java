package io.ariadne.it.suites;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TestShard {
  private static final int SHARDS = 10;

  private final List<String> suites =
      IntStream.range(0, 101).mapToObj(i -> "suite" + i).sorted().toList();

  @Test
  void everySuiteIsInOneShard() {
    Timings timings = Timings.of(Map.of("suite7", 70.0));
    List<String> all = new ArrayList<>();
    for (int number = 1; number <= SHARDS; number++) {
      all.addAll(new Shard(number, SHARDS).of(suites, timings, 0));
    }
    assertEquals(suites, all.stream().sorted().toList());
  }

  @Test
  void shardsTakeEquallyLong() {
    Timings timings = Timings.of(Map.of("suite7", 70.0));
    for (int number = 1; number <= SHARDS; number++) {
      double seconds = timings.sum(new Shard(number, SHARDS).of(suites, timings, 0));
      assertTrue(seconds >= 100 && seconds <= 120, seconds + " s in shard " + number);
    }
  }

  @Test
  void orderFollowsFromItsNumber() {
    Timings timings = Timings.of(Map.of());
    Shard shard = Shard.parse("3/10");
    assertEquals(shard.of(suites, timings, 5), shard.of(suites, timings, 5));
    assertEquals(
        shard.of(suites, timings, 5).stream().sorted().toList(),
        shard.of(suites, timings, 6).stream().sorted().toList());
  }

  @Test
  void refusesANumberOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> Shard.parse("11/10"));
    assertThrows(IllegalArgumentException.class, () -> Shard.parse("0/10"));
  }

  @Test
  void fourRoundsHaveAllSettings() {
    for (String suite : suites) {
      assertEquals(
          4,
          IntStream.range(0, 4)
              .mapToObj(round -> SuiteSettings.of(suite, round).toString())
              .distinct()
              .count());
    }
  }
}
