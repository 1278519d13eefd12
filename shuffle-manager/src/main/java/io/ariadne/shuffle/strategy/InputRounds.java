package io.ariadne.shuffle.strategy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Distributes the partitions of an input to rounds of map tasks, for results before all input has
 * been read: the strategy <i>streaming</i> of Exoshuffle (SIGCOMM 2023, section 3).
 *
 * <p>Partitions are in random order, because neighbours are often alike: partitions of one file, or
 * of one day. So each round is a sample of the input. The order depends on the seed only.
 *
 * @param rounds the partitions of each round, ascending; at least one round, of which only the
 *     first may be empty
 */
public record InputRounds(List<List<Integer>> rounds) {

  /** Copies the lists. */
  public InputRounds {
    rounds = rounds.stream().map(List::copyOf).toList();
  }

  /**
   * Distributes partitions evenly.
   *
   * @param partitions number of partitions, may be 0
   * @param rounds how many rounds to have at the most, at least 1; fewer when there are fewer
   *     partitions than all rounds need
   * @param slots how many tasks a round has at the least, at least 1
   * @param seed of the random order
   */
  public static InputRounds of(int partitions, int rounds, int slots, long seed) {
    if (partitions < 0 || rounds < 1 || slots < 1) {
      throw new IllegalArgumentException(
          "%d partitions in %d rounds of %d tasks".formatted(partitions, rounds, slots));
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(seed));
    int count = Math.max(1, Math.min(rounds, partitions / slots));
    List<List<Integer>> divided = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      divided.add(
          order.subList(first(partitions, i, count), first(partitions, i + 1, count)).stream()
              .sorted()
              .toList());
    }
    return new InputRounds(divided);
  }

  private static int first(int partitions, int round, int count) {
    return (int) ((long) partitions * round / count);
  }
}
