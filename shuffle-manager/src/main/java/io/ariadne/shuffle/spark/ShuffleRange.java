package io.ariadne.shuffle.spark;

import org.apache.spark.sql.execution.CoalescedMapperPartitionSpec;
import org.apache.spark.sql.execution.CoalescedPartitionSpec;
import org.apache.spark.sql.execution.PartialMapperPartitionSpec;
import org.apache.spark.sql.execution.PartialReducerPartitionSpec;
import org.apache.spark.sql.execution.ShufflePartitionSpec;

/** The map outputs, and the partitions of these, that a reduce task reads; ends are exclusive. */
record ShuffleRange(int firstMap, int endMap, int firstReducer, int endReducer) {
  static ShuffleRange of(ShufflePartitionSpec spec) {
    if (spec instanceof CoalescedPartitionSpec some) {
      return new ShuffleRange(
          0, Integer.MAX_VALUE, some.startReducerIndex(), some.endReducerIndex());
    }
    if (spec instanceof PartialReducerPartitionSpec part) {
      int reducer = part.reducerIndex();
      return new ShuffleRange(part.startMapIndex(), part.endMapIndex(), reducer, reducer + 1);
    }
    if (spec instanceof PartialMapperPartitionSpec part) {
      int map = part.mapIndex();
      return new ShuffleRange(map, map + 1, part.startReducerIndex(), part.endReducerIndex());
    }
    CoalescedMapperPartitionSpec maps = (CoalescedMapperPartitionSpec) spec;
    return new ShuffleRange(maps.startMapIndex(), maps.endMapIndex(), 0, maps.numReducers());
  }
}
