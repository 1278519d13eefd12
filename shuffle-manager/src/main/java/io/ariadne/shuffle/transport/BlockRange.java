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
 */
public record BlockRange(
    int shuffleId, long mapId, int firstPartition, int endPartition, long firstRow) {
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

  /** Returns this range without its next rows. */
  BlockRange after(long rows) {
    return new BlockRange(shuffleId, mapId, firstPartition, endPartition, firstRow + rows);
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
