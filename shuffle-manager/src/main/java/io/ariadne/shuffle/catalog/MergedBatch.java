package io.ariadne.shuffle.catalog;

import io.ariadne.spill.SpillableBatch;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Blocks of several map outputs, one behind the other in the order of their partitions: one read
 * from disk gets all of a partition. Owns the batch with their bytes. Thread-safe.
 */
final class MergedBatch extends Leased {
  private final SpillableBatch bytes;
  private final List<Segment> segments;
  private final Set<Long> mapIds;

  /**
   * A block.
   *
   * @param partition its partition
   * @param mapId the map attempt whose rows it has
   * @param rows number of rows
   * @param offset its first byte
   * @param lengthInBytes number of bytes
   */
  record Segment(int partition, long mapId, int rows, long offset, long lengthInBytes) {}

  /**
   * Creates a batch.
   *
   * @param bytes has one column with the bytes; ownership passes to this object
   * @param segments by ascending partition; blocks of a map output's partition in their order
   */
  MergedBatch(SpillableBatch bytes, List<Segment> segments) {
    this.bytes = bytes;
    this.segments = List.copyOf(segments);
    this.mapIds = segments.stream().map(Segment::mapId).collect(Collectors.toUnmodifiableSet());
  }

  SpillableBatch bytes() {
    return bytes;
  }

  List<Segment> segments() {
    return segments;
  }

  /** Returns the map attempts whose rows the blocks have. */
  Set<Long> mapIds() {
    return mapIds;
  }

  /** Returns whether blocks of these consecutive partitions may be here. */
  boolean overlaps(int first, int end) {
    return segments.get(0).partition() < end
        && segments.get(segments.size() - 1).partition() >= first;
  }

  @Override
  void freeAll() {
    bytes.close();
  }
}
