package io.ariadne.shuffle.transport;

/**
 * Names the rows one attempt of one map task has for one partition.
 *
 * @param shuffleId the shuffle, unique in the application
 * @param mapId the map task's attempt, unique in the application: a repeated task has another one
 * @param partition the reduce partition, from 0
 */
public record BlockId(int shuffleId, long mapId, int partition) {
  /** Checks the bounds. */
  public BlockId {
    if (shuffleId < 0 || mapId < 0 || partition < 0) {
      throw new IllegalArgumentException(
          "block " + shuffleId + "/" + mapId + "/" + partition + " is not valid");
    }
  }
}
