package io.ariadne.shuffle.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each partition has one owner, and owners have equally many. */
class TestPartitionOwners {
  private static PartitionOwners owners(int partitions, int executors) {
    return new PartitionOwners(
        partitions,
        IntStream.range(0, executors)
            .mapToObj(i -> new PartitionOwners.Owner("e" + i, "host"))
            .toList());
  }

  @Test
  void distributesPartitionsEvenly() {
    for (int partitions = 1; partitions < 70; partitions++) {
      for (int executors = 1; executors < 20; executors++) {
        PartitionOwners owners = owners(partitions, executors);
        assertEquals(0, owners.first(0));
        assertEquals(partitions, owners.first(executors));
        for (int i = 0; i < executors; i++) {
          int count = owners.first(i + 1) - owners.first(i);
          assertTrue(count == partitions / executors || count == partitions / executors + 1);
          for (int p = owners.first(i); p < owners.first(i + 1); p++) {
            assertEquals(i, owners.indexOf(p));
            assertEquals("e" + i, owners.ofMost(p, p + 1).id());
          }
        }
      }
    }
  }

  @Test
  void findsOwnerOfMostPartitions() {
    PartitionOwners owners = owners(10, 2);
    assertEquals("e0", owners.ofMost(0, 10).id());
    assertEquals("e1", owners.ofMost(4, 10).id());
    assertEquals("e0", owners.ofMost(3, 6).id());
  }

  @Test
  void needsExecutors() {
    assertThrows(IllegalArgumentException.class, () -> new PartitionOwners(3, List.of()));
    assertThrows(
        IllegalArgumentException.class,
        () -> new StrategyPlan(ShuffleStrategy.PUSH, null, "no owners"));
  }
}
