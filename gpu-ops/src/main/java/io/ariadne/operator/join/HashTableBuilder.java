package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Builds the hash table of a join on several threads: each split fills one hash table partition or
 * makes the whole table, then each call of {@link #concatenateNext} concatenates one column. The
 * splits yield no rows. Thread-safe.
 *
 * <p>When memory is refused, rows leave the table for their spilled partition: those of one hash
 * table partition while it is filled, all of them afterwards or when the table has one part.
 */
final class HashTableBuilder implements SplitSource {
  private final HashJoin join;
  private final Facts facts;
  private final OperatorContext context;

  /** The rows of a table of one part. */
  private final Deque<SpillableBatch> batches = new ArrayDeque<>();

  /** Rows by partition: of the table, when it has several parts, and those that are spilled. */
  private final List<SpilledPartition> partitions = new ArrayList<>();

  private final boolean hasParts;
  private final HashTablePartition[] parts = new HashTablePartition[HashPartitioner.PARTITIONS];
  private JoinTable whole; // of a table of one part

  /** Whether there is no table: the batches are joined in passes, in their order. */
  private boolean isInPasses;

  private int nextPart;

  /** The partitions that are not in the table, a bit each. */
  private long spilled;

  /** Whether one of the keys is null, as far as that is known without the table. */
  private boolean hasNullKey;

  /** Partitions of the rows in {@link #columns}, one per batch that was not put back. */
  private final Deque<Integer> partitionOf = new ArrayDeque<>();

  private BuildColumns columns; // null until all parts are filled
  private int nextColumn;

  /** Whether memory was refused for a column or the row lists. */
  private boolean isRefused;

  /**
   * What is known of the build side.
   *
   * @param spilled the partitions that are not in the table, a bit each
   * @param rowCount all rows
   * @param bytes bytes of their columns
   * @param hasNullKey whether a key of the partitioned rows is null
   */
  record Facts(long spilled, long rowCount, long bytes, boolean hasNullKey) {}

  /**
   * Prepares.
   *
   * @param batches the rows of a table of one part; taken out
   * @param partitions rows by partition: of a table of several parts, and those that are spilled;
   *     taken out
   * @param hasParts whether each partition in the table becomes a part of it, on the host
   */
  HashTableBuilder(
      HashJoin join,
      Deque<SpillableBatch> batches,
      List<SpilledPartition> partitions,
      boolean hasParts,
      Facts facts,
      OperatorContext context) {
    this.join = join;
    this.hasParts = hasParts;
    this.facts = facts;
    this.spilled = facts.spilled();
    this.hasNullKey = facts.hasNullKey();
    this.context = context;
    this.batches.addAll(batches);
    this.partitions.addAll(partitions);
    batches.clear();
    partitions.clear();
    prefetch();
  }

  /** Asks for the rows of the table, in the order in which the splits take them. */
  private void prefetch() {
    batches.forEach(SpillableBatch::prefetch);
    for (int i = 0; i < partitions.size(); i++) {
      if (isInTable(i)) {
        partitions.get(i).prefetch();
      }
    }
  }

  @Override
  public Schema schema() {
    return join.spec().build();
  }

  @Override
  public synchronized Split next() {
    if (!hasParts) {
      return nextPart++ == 0 ? new WholeTableSplit(join, batches, new WholeTable(), context) : null;
    }
    while (nextPart < HashPartitioner.PARTITIONS) {
      int number = nextPart++;
      SpilledPartition rows = partitions.get(number);
      if (isInTable(number) && rows.rowCount() > 0) {
        parts[number] = new HashTablePartition(join, rows, context);
        return new HashTablePartitionSplit(join, parts[number], context);
      }
    }
    return null;
  }

  private boolean isInTable(int partition) {
    return (spilled >>> partition & 1) == 0;
  }

  /** Takes the result of the split of a table of one part. */
  private final class WholeTable implements WholeTableSplit.Target {
    @Override
    public void complete(JoinTable table) {
      synchronized (HashTableBuilder.this) {
        whole = table;
      }
    }

    @Override
    public void complete(HashPartitioner rows, boolean isKeyNull) {
      synchronized (HashTableBuilder.this) {
        rows.moveTo(partitions);
        spilled = HashPartitioner.ALL;
        hasNullKey |= isKeyNull;
      }
    }

    @Override
    public void completeInPasses(boolean isKeyNull) {
      synchronized (HashTableBuilder.this) {
        isInPasses = true;
        hasNullKey |= isKeyNull;
      }
    }
  }

  /**
   * Concatenates the next column of the parts. Called when all splits are over, also by several
   * threads at once.
   *
   * @return whether there was one
   */
  boolean concatenateNext() {
    int number;
    BuildColumns target;
    try {
      synchronized (this) {
        if (!hasParts || isRefused || nextColumn == schema().columnCount()) {
          return false;
        }
        target = openColumns();
        number = nextColumn++;
      }
      target.concatenate(number);
      return true;
    } catch (EngineException e) {
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
      synchronized (this) {
        isRefused = true;
      }
      return false;
    }
  }

  /** Takes the rows out of the parts, whose memory cannot be revoked any more. */
  private BuildColumns openColumns() {
    if (columns != null) {
      return columns;
    }
    retainParts();
    long rowCount = 0;
    for (HashTablePartition part : parts) {
      rowCount += part == null ? 0 : part.rowCount();
    }
    BuildColumns.checkedRowCount(rowCount);
    List<RecordBatch> rows = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] != null) {
        List<RecordBatch> taken = parts[i].takeBatches();
        rows.addAll(taken);
        for (int batch = 0; batch < taken.size(); batch++) {
          partitionOf.add(i);
        }
      }
    }
    columns = new BuildColumns(schema(), rows, context);
    return columns;
  }

  private void retainParts() {
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] != null && !parts[i].retain()) {
        dropPart(i);
      }
    }
  }

  /** Closes a part whose rows are in its spilled partition. */
  private void dropPart(int number) {
    HashTablePartition part = parts[number];
    parts[number] = null;
    spilled |= 1L << number;
    part.close();
  }

  /**
   * Returns the build side, when all splits are over; owned by the caller. Called again after it
   * was refused memory.
   */
  synchronized JoinBuild complete() {
    JoinTable table = table();
    whole = null;
    SpilledPartitionPairs pairs = null;
    if (spilled != 0) {
      pairs =
          new SpilledPartitionPairs(
              join.spec().kind(), new ArrayList<>(partitions), spilled, join.pairAccount(context));
      partitions.clear();
    }
    BuildRows rows = null;
    if (isInPasses) {
      rows = new BuildRows(List.copyOf(batches), facts.rowCount(), facts.bytes());
      batches.clear();
    }
    boolean isKeyNull = hasNullKey || table.hasNullKey();
    return new JoinBuild(join.spec().kind(), table, pairs, rows, facts.rowCount() == 0, isKeyNull);
  }

  private JoinTable table() {
    if (whole != null) {
      return whole;
    }
    if (hasParts && !isRefused) {
      try {
        return tableOfParts();
      } catch (EngineException e) {
        if (!EngineException.isOutOfMemory(e)) {
          throw e;
        }
        isRefused = true;
      }
    }
    spillParts();
    JoinTable[] empty = new JoinTable[1];
    MemoryRefusal.retryWithReserve(() -> empty[0] = JoinTable.empty(join, context));
    return empty[0];
  }

  private JoinTable tableOfParts() {
    BuildColumns all = openColumns();
    return new HashTableAssembly(join, parts, context).assemble(all);
  }

  /**
   * Returns the rows of all parts to their partitions, from where they may leave memory. When this
   * is refused memory, the next call continues.
   */
  private void spillParts() {
    if (columns != null) {
      MemoryRefusal.withReserve(
          () -> columns.restore(batch -> putBack(batch, partitionOf.remove())));
      columns = null;
    }
    for (int i = 0; i < parts.length; i++) {
      if (parts[i] != null) {
        int partition = i;
        if (parts[i].retain()) {
          parts[i].takeBatches().forEach(batch -> putBack(batch, partition));
        }
        dropPart(i);
      }
    }
  }

  private void putBack(RecordBatch batch, int partition) {
    SpillPlacement placement = HashPartitioner.placement(0, partition);
    partitions.get(partition).add(context.spill().add(batch, placement));
  }

  @Override
  public synchronized void close() {
    Closer closer = new Closer();
    for (int i = 0; i < parts.length; i++) {
      closer.close(parts[i]);
      parts[i] = null;
    }
    closer.close(columns);
    columns = null;
    batches.forEach(closer::close);
    batches.clear();
    partitions.forEach(closer::close);
    partitions.clear();
    closer.close(whole);
    whole = null;
    closer.rethrow();
  }
}
