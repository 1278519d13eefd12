package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.concat.ColumnConcatenator;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.concat.ConcatenationPolicy;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The table of a join while threads of work make it side by side: each split one part, then each
 * column. Its splits yield no rows. Parts and columns may come from any thread.
 */
final class HashTableBuilder implements SplitSource {
  private final HashJoin join;
  private final Facts facts;
  private final OperatorContext context;

  /** The rows of the table, when it has one part. */
  private final Deque<SpillableBatch> batches = new ArrayDeque<>();

  /** Rows by partition: those of the table, when it has parts, and those that are not in it. */
  private final List<SpilledPartition> partitions = new ArrayList<>();

  private final boolean hasParts;
  private final HashTablePartition[] parts = new HashTablePartition[HashPartitioner.PARTITIONS];
  private final ColumnVector[] columns;
  private JoinTable whole; // when there is one part
  private int nextPart;
  private int nextColumn;

  /**
   * What is known of the build side.
   *
   * @param spilled the partitions that are not in the table, a bit each
   * @param isEmpty whether there are no rows at all
   * @param hasNullKey whether one of several parts has a key that is null
   */
  record Facts(long spilled, boolean isEmpty, boolean hasNullKey) {}

  /**
   * Begins.
   *
   * @param batches the rows of a table of one part; taken out
   * @param partitions rows by partition, of a table of several parts and of no table; taken out
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
    this.context = context;
    this.columns = new ColumnVector[join.spec().build().columnCount()];
    this.batches.addAll(batches);
    this.partitions.addAll(partitions);
    batches.clear();
    partitions.clear();
  }

  @Override
  public Schema schema() {
    return join.spec().build();
  }

  @Override
  public synchronized Split next() {
    if (!hasParts) {
      return nextPart++ == 0 ? new WholeSplit() : null;
    }
    while (nextPart < HashPartitioner.PARTITIONS) {
      int number = nextPart++;
      SpilledPartition rows = partitions.get(number);
      if (isInTable(number) && rows.rowCount() > 0) {
        return new HashTablePartitionSplit(join, rows, part -> put(number, part), context);
      }
    }
    return null;
  }

  private boolean isInTable(int partition) {
    return (facts.spilled() >>> partition & 1) == 0;
  }

  private synchronized void put(int number, HashTablePartition part) {
    parts[number] = part;
  }

  /** Makes the table of one part. */
  private final class WholeSplit implements Split {
    @Override
    public RecordBatch next() {
      JoinTable table = JoinTable.of(join, JoinTable.taken(batches, context), context);
      synchronized (HashTableBuilder.this) {
        whole = table;
      }
      return null;
    }

    @Override
    public void close() {}
  }

  /**
   * Puts the rows of the next column together, when all parts are there.
   *
   * @return whether there was one
   */
  boolean concatenateNext() {
    int number;
    synchronized (this) {
      if (!hasParts || nextColumn == columns.length) {
        return false;
      }
      number = nextColumn++;
    }
    ColumnVector column = concatenated(number);
    synchronized (this) {
      columns[number] = column;
    }
    return true;
  }

  private ColumnVector concatenated(int number) {
    DataType type = schema().field(number).type();
    List<ColumnSlice> slices = new ArrayList<>();
    for (RecordBatch batch : batchesOfParts()) {
      slices.add(new ColumnSlice(batch.column(number), 0, batch.rowCount()));
    }
    if (slices.isEmpty()) {
      return NullColumns.of(type, 0, context.allocator());
    }
    ColumnVector column;
    try (GatherKernel gather = new GatherKernel(context.backend().host(), context.allocator())) {
      column =
          new ColumnConcatenator(context.allocator(), ConcatenationPolicy.SHARE, gather)
              .concatDecoded(type, slices);
    }
    batchesOfParts().forEach(batch -> batch.takeColumn(number).close());
    if (!HeapCompaction.pays(column)) {
      return column;
    }
    try (column) {
      return new HeapCompaction(context.allocator()).compact(column);
    }
  }

  private synchronized List<RecordBatch> batchesOfParts() {
    List<RecordBatch> all = new ArrayList<>();
    for (HashTablePartition part : parts) {
      if (part != null) {
        all.addAll(part.batches());
      }
    }
    return all;
  }

  /** Returns the build side, when all splits are over; owned by the caller. */
  synchronized JoinBuild complete() {
    JoinTable table = whole;
    if (hasParts) {
      table = JoinTable.ofParts(join, parts, columns, context);
    }
    whole = null;
    SpilledPartitionPairs pairs = null;
    if (facts.spilled() != 0) {
      pairs =
          new SpilledPartitionPairs(
              join.spec().kind(),
              new ArrayList<>(partitions),
              facts.spilled(),
              join.pairAccount(context));
      partitions.clear();
    }
    boolean hasNullKey = facts.hasNullKey() || table.hasNullKey();
    return new JoinBuild(join.spec().kind(), table, pairs, facts.isEmpty(), hasNullKey);
  }

  @Override
  public synchronized void close() {
    Closer closer = new Closer();
    batches.forEach(closer::close);
    batches.clear();
    partitions.forEach(closer::close);
    partitions.clear();
    for (int i = 0; i < parts.length; i++) {
      closer.close(parts[i]);
      parts[i] = null;
    }
    for (int i = 0; i < columns.length; i++) {
      closer.close(columns[i]);
      columns[i] = null;
    }
    closer.close(whole);
    whole = null;
    closer.rethrow();
  }
}
