package io.ariadne.shuffle.strategy;

import java.io.Serializable;
import java.util.List;

/**
 * Which executor runs the reduce task of each partition, as far as that was planned when the
 * shuffle began. Neighbouring partitions have the same owner, because adaptive execution joins
 * them. Shipped to executors.
 *
 * @param partitions number of partitions, at least 1
 * @param executors at least one, in the order of their partitions
 */
public record PartitionOwners(int partitions, List<Owner> executors) implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * An executor.
   *
   * @param id Spark's id
   * @param host where it runs
   */
  public record Owner(String id, String host) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** Checks that there are executors. */
  public PartitionOwners {
    if (partitions < 1 || executors.isEmpty()) {
      throw new IllegalArgumentException(
          partitions + " partitions of " + executors.size() + " executors");
    }
    executors = List.copyOf(executors);
  }

  /** Returns the first partition of an executor: behind the last one for the number of them. */
  public int first(int executor) {
    return (int) ((long) partitions * executor / executors.size());
  }

  /** Returns the index of the executor that owns a partition. */
  public int indexOf(int partition) {
    int index = (int) ((long) partition * executors.size() / partitions);
    while (first(index + 1) <= partition) {
      index++;
    }
    return index;
  }

  /** Returns the executor that owns most of consecutive partitions; the first of equal ones. */
  public Owner ofMost(int firstPartition, int endPartition) {
    int best = indexOf(firstPartition);
    int most = 0;
    for (int i = best; i < executors.size() && first(i) < endPartition; i++) {
      int count = Math.min(endPartition, first(i + 1)) - Math.max(firstPartition, first(i));
      if (count > most) {
        most = count;
        best = i;
      }
    }
    return executors.get(best);
  }
}
