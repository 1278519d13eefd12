package io.ariadne.shuffle.transport;

/**
 * The rows that one attempt of a map task has for neighbouring partitions, or the last ones of
 * them.
 *
 * @param shuffleId the shuffle, unique in the application
 * @param mapId the attempt of the map task, unique in the application
 * @param firstPartition the first partition, from 0
 * @param endPartition the partition after the last one
 * @param firstRow how many rows precede the wanted ones: the receiver has them already
 * @param use what the receiver does with the rows
 */
public record BlockRange(
    int shuffleId, long mapId, int firstPartition, int endPartition, long firstRow, Use use) {
  /** What the receiver does with rows. */
  public enum Use {
    /** A reduce task reads them. */
    READ,
    /** They are copied, and the sender may then give them up. */
    COPY
  }

  /** Checks the bounds. */
  public BlockRange {
    if (shuffleId < 0
        || mapId < 0
        || firstPartition < 0
        || endPartition <= firstPartition
        || firstRow < 0) {
      throw new IllegalArgumentException(
          text(shuffleId, mapId, firstPartition, endPartition) + " from row " + firstRow);
    }
  }

  /** Creates a range that a reduce task reads. */
  public BlockRange(
      int shuffleId, long mapId, int firstPartition, int endPartition, long firstRow) {
    this(shuffleId, mapId, firstPartition, endPartition, firstRow, Use.READ);
  }

  /** Returns the range of all rows of a partition, to be copied. */
  public static BlockRange toCopy(int shuffleId, long mapId, int partition) {
    return new BlockRange(shuffleId, mapId, partition, partition + 1, 0, Use.COPY);
  }

  /** Returns this range without its next rows. */
  BlockRange after(long rows) {
    return new BlockRange(shuffleId, mapId, firstPartition, endPartition, firstRow + rows, use);
  }

  private static String text(int shuffleId, long mapId, int firstPartition, int endPartition) {
    return "shuffle "
        + shuffleId
        + ", map attempt "
        + mapId
        + ", partitions "
        + firstPartition
        + " to "
        + (endPartition - 1);
  }

  @Override
  public String toString() {
    return text(shuffleId, mapId, firstPartition, endPartition);
  }
}
