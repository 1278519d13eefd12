package io.ariadne.shuffle.spark;

import org.apache.spark.storage.ShuffleBlockId;

/**
 * Neighbouring partitions of a map output.
 *
 * @param shuffleId the shuffle
 * @param mapId attempt number of the map task
 * @param firstPartition the first partition
 * @param endPartition the partition after the last one
 */
record MapOutputRange(int shuffleId, long mapId, int firstPartition, int endPartition) {
  /** Returns whether a partition of a map task is one of these. */
  boolean has(long map, int partition) {
    return map == mapId && partition >= firstPartition && partition < endPartition;
  }

  /** Returns Spark's name of one of the partitions. */
  ShuffleBlockId id(int partition) {
    return new ShuffleBlockId(shuffleId, mapId, partition);
  }
}
