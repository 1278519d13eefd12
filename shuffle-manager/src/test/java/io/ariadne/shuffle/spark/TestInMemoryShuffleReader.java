package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import org.junit.jupiter.api.Test;
import scala.Option;

/** Partitions of one map task are read together where they are neighbours. */
class TestInMemoryShuffleReader {
  private static final int SHUFFLE = 3;

  private final BlockManagerId here = BlockManagerId.apply("1", "localhost", 1, Option.empty());
  private final List<LocalMapOutputs.Place> own = new ArrayList<>();

  private void add(long mapId, int partition, int mapIndex) {
    InMemoryShuffleReader.addOwn(
        own, here, new ShuffleBlockId(SHUFFLE, mapId, partition), mapIndex);
  }

  private LocalMapOutputs.Place place(long mapId, int first, int end, int blocks, int mapIndex) {
    return new LocalMapOutputs.Place(
        here, new MapOutputRange(SHUFFLE, mapId, first, end), blocks, mapIndex);
  }

  @Test
  void testNeighboursOfOneMapTask() {
    add(7, 2, 0);
    add(7, 3, 0);
    add(7, 5, 0); // there are no rows in the fourth
    assertEquals(List.of(place(7, 2, 6, 3, 0)), own);
  }

  @Test
  void testMapTasksStayApart() {
    add(7, 2, 0);
    add(9, 3, 1);
    add(9, 4, 1);
    add(8, 2, 2);
    assertEquals(List.of(place(7, 2, 3, 1, 0), place(9, 3, 5, 2, 1), place(8, 2, 3, 1, 2)), own);
  }

  /** Places of one map task that come back to earlier partitions are not one. */
  @Test
  void testPartitionsOutOfOrder() {
    add(7, 3, 0);
    add(7, 2, 0);
    assertEquals(List.of(place(7, 3, 4, 1, 0), place(7, 2, 3, 1, 0)), own);
  }
}
