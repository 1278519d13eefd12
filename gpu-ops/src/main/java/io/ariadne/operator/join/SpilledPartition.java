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

/** Rows of a side of a join whose hashes have some bits in common, at rest. */
final class SpilledPartition implements AutoCloseable {
  private final Deque<SpillableBatch> batches = new ArrayDeque<>();
  private long rowCount;
  private final RetainedBytes bytes = new RetainedBytes();

  /** Any of the hashes, and the bits in which others differ from it. */
  private long hash;

  private long difference;

  /** Returns an empty one for each partition of a level. */
  static List<SpilledPartition> partitions() {
    return Stream.generate(SpilledPartition::new)
        .limit(HashPartitioner.PARTITIONS)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Notes the hash of a row that is here or will be. */
  void note(long rowHash) {
    if (rowCount == 0) {
      hash = rowHash;
    }
    rowCount++;
    difference |= rowHash ^ hash;
  }

  /** Counts what a batch takes that is put to rest here. */
  void count(RecordBatch batch) {
    bytes.add(batch);
  }

  /** Takes rows whose hashes were noted, owned by this from now on. */
  void add(SpillableBatch batch) {
    batches.add(batch);
  }

  /** Takes all rows out of others. */
  void takeAll(SpilledPartition others) {
    if (others.rowCount == 0) {
      return;
    }
    hash = rowCount == 0 ? others.hash : hash;
    difference |= others.difference | (others.hash ^ hash);
    batches.addAll(others.batches);
    rowCount += others.rowCount;
    bytes.addAll(others.bytes);
    others.batches.clear();
    others.rowCount = 0;
    others.bytes.clear();
    others.difference = 0;
  }

  /** Returns the rows, to be taken out of it in parts; closed with this unless taken out. */
  Deque<SpillableBatch> batches() {
    return batches;
  }

  long rowCount() {
    return rowCount;
  }

  /** Returns what the columns take in memory. */
  long bytes() {
    return bytes.bytes();
  }

  /** Returns the first level whose bits divide the rows; beyond the last one for none. */
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
