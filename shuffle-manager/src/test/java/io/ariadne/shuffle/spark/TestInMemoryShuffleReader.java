package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import org.junit.jupiter.api.Test;
import scala.Option;

/** Neighbouring partitions of one map task are read together. */
class TestInMemoryShuffleReader {
  private static final int SHUFFLE = 3;
  private static final long BYTES = 10;

  private final BlockManagerId here = BlockManagerId.apply("1", "localhost", 1, Option.empty());
  private final List<LocalMapOutputs.Place> own = new ArrayList<>();

  private void add(long mapId, int partition, int mapIndex) {
    InMemoryShuffleReader.add(
        own, here, new ShuffleBlockId(SHUFFLE, mapId, partition), mapIndex, BYTES);
  }

  private LocalMapOutputs.Place place(long mapId, int first, int end, int blocks, int mapIndex) {
    return new LocalMapOutputs.Place(
        here, new MapOutputRange(SHUFFLE, mapId, first, end), blocks, mapIndex, blocks * BYTES);
  }

  @Test
  void joinsNeighbouringPartitionsOfAMapTask() {
    add(7, 2, 0);
    add(7, 3, 0);
    add(7, 5, 0); // there are no rows in the fourth
    assertEquals(List.of(place(7, 2, 6, 3, 0)), own);
  }

  @Test
  void keepsMapTasksApart() {
    add(7, 2, 0);
    add(9, 3, 1);
    add(9, 4, 1);
    add(8, 2, 2);
    assertEquals(List.of(place(7, 2, 3, 1, 0), place(9, 3, 5, 2, 1), place(8, 2, 3, 1, 2)), own);
  }

  /** Earlier partitions of the same map task make another place. */
  @Test
  void keepsPartitionsOutOfOrderApart() {
    add(7, 3, 0);
    add(7, 2, 0);
    assertEquals(List.of(place(7, 3, 4, 1, 0), place(7, 2, 3, 1, 0)), own);
  }
}
