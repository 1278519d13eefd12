package io.ariadne.shuffle.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TestInputRounds {
  @Test
  void eachPartitionIsInOneRound() {
    for (int partitions : new int[] {1, 2, 3, 39, 40, 41, 1000}) {
      InputRounds rounds = InputRounds.of(partitions, 20, 2, 7);
      List<Integer> all = new ArrayList<>();
      rounds.rounds().forEach(all::addAll);
      assertEquals(IntStream.range(0, partitions).boxed().toList(), all.stream().sorted().toList());
      rounds.rounds().forEach(each -> assertEquals(each.stream().sorted().toList(), each));
    }
  }

  @Test
  void roundsAreEven() {
    InputRounds rounds = InputRounds.of(47, 20, 2, 7);
    assertEquals(20, rounds.rounds().size());
    rounds.rounds().forEach(each -> assertTrue(each.size() == 2 || each.size() == 3));
  }

  @Test
  void eachSlotHasATaskInEveryRound() {
    assertEquals(4, InputRounds.of(9, 20, 2, 7).rounds().size());
    assertEquals(1, InputRounds.of(3, 20, 4, 7).rounds().size());
  }

  @Test
  void inputWithoutPartitionsHasOneEmptyRound() {
    assertEquals(List.of(List.of()), InputRounds.of(0, 20, 2, 7).rounds());
  }

  @Test
  void orderDependsOnTheSeedOnly() {
    assertEquals(InputRounds.of(100, 5, 2, 7), InputRounds.of(100, 5, 2, 7));
    assertNotEquals(InputRounds.of(100, 5, 2, 7), InputRounds.of(100, 5, 2, 8));
    List<Integer> first = InputRounds.of(100, 5, 2, 7).rounds().get(0);
    assertNotEquals(IntStream.range(0, 20).boxed().toList(), first);
  }

  @Test
  void refusesNumbersOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> InputRounds.of(-1, 1, 1, 7));
    assertThrows(IllegalArgumentException.class, () -> InputRounds.of(1, 0, 1, 7));
    assertThrows(IllegalArgumentException.class, () -> InputRounds.of(1, 1, 0, 7));
  }
}
