package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedBytes;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.kernel.abi.GroupParts;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Spillable rows of one side of a join whose hashes have some bits in common. Not thread-safe. */
final class SpilledPartition implements AutoCloseable {
  private final Deque<SpillableBatch> batches = new ArrayDeque<>();
  private long rowCount;
  private final RetainedBytes bytes = new RetainedBytes();

  /** The hash of any row, and below the bits in which the other rows' hashes differ from it. */
  private long hash;

  private long difference;

  /** Returns an empty partition for each partition of a level. */
  static List<SpilledPartition> partitions() {
    return Stream.generate(SpilledPartition::new)
        .limit(HashPartitioner.PARTITIONS)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Counts a row that is or will be added, and its hash. */
  void note(long rowHash) {
    if (rowCount == 0) {
      hash = rowHash;
    }
    rowCount++;
    difference |= rowHash ^ hash;
  }

  /** Counts the bytes of a batch that is added. */
  void count(RecordBatch batch) {
    bytes.add(batch);
  }

  /** Takes ownership of rows whose hashes were counted. */
  void add(SpillableBatch batch) {
    batches.add(batch);
  }

  /** Moves all rows of another partition here. */
  void takeAll(SpilledPartition others) {
    if (others.rowCount == 0) {
      return;
    }
    hash = rowCount == 0 ? others.hash : hash;
    difference |= others.difference | (others.hash ^ hash);
    batches.addAll(others.batches);
    rowCount += others.rowCount;
    bytes.addAll(others.bytes);
    others.clear();
  }

  /** Forgets the rows, whose batches another object owns now. */
  void clear() {
    batches.clear();
    rowCount = 0;
    bytes.clear();
    difference = 0;
  }

  /** Asks for the batches to be read back ahead of their use, in their order. */
  void prefetch() {
    batches.forEach(SpillableBatch::prefetch);
  }

  /** Returns the batches; the caller may take them out, and this closes the rest. */
  Deque<SpillableBatch> batches() {
    return batches;
  }

  long rowCount() {
    return rowCount;
  }

  /** Returns the bytes of the columns in memory. */
  long bytes() {
    return bytes.bytes();
  }

  /**
   * Returns the first level whose bits divide the rows; greater than {@link
   * HashPartitioner#LAST_LEVEL} for none.
   */
  int dividingLevel() {
    return Long.numberOfLeadingZeros(difference) / GroupParts.GROUP_PART_BITS;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    batches.forEach(closer::close);
    batches.clear();
    closer.rethrow();
  }
}
