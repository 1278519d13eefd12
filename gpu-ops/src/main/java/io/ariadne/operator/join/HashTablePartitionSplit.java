package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;

/** Fills one hash table partition, a batch at a time; yields no rows. */
final class HashTablePartitionSplit implements Split {
  private final HashJoin join;
  private final HashTablePartition partition;
  private final OperatorContext context;

  /**
   * Prepares.
   *
   * @param partition stays its owner's
   */
  HashTablePartitionSplit(HashJoin join, HashTablePartition partition, OperatorContext context) {
    this.join = join;
    this.partition = partition;
    this.context = context;
  }

  @Override
  public RecordBatch next() {
    return partition.next()
        ? NullColumns.emptyBatch(join.spec().build(), context.allocator())
        : null;
  }

  /** Returns true: when memory is refused, the rows of the partition leave the table. */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  @Override
  public void close() {}
}
