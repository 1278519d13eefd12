package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.spill.SpillableBatch;
import java.util.Deque;
import java.util.function.Consumer;

/** Makes one part of a table; yields no rows. */
final class HashTablePartitionSplit implements Split {
  private final HashJoin join;
  private final SpilledPartition rows;
  private final Consumer<HashTablePartition> target;
  private final OperatorContext context;
  private HashTablePartition
      part; // null before the first call, and when the part is given to its target

  /**
   * Prepares.
   *
   * @param rows are taken out; stay their owner's until then
   * @param target takes the part
   */
  HashTablePartitionSplit(
      HashJoin join,
      SpilledPartition rows,
      Consumer<HashTablePartition> target,
      OperatorContext context) {
    this.join = join;
    this.rows = rows;
    this.target = target;
    this.context = context;
  }

  @Override
  public RecordBatch next() {
    if (part == null) {
      part = new HashTablePartition(join, Math.toIntExact(rows.rowCount()), context);
    }
    Deque<SpillableBatch> batches = rows.batches();
    if (!batches.isEmpty()) {
      RecordBatch batch = batches.element().take(context.allocator());
      batches.remove();
      part.add(batch);
      return NullColumns.emptyBatch(join.spec().build(), context.allocator());
    }
    part.end();
    HashTablePartition complete = part;
    part = null;
    target.accept(complete);
    return null;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(part);
    part = null;
    closer.rethrow();
  }
}
