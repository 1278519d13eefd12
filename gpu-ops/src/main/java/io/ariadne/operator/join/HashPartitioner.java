package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedBytes;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.concat.ColumnConcatenator;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.concat.ConcatenationPolicy;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.abi.GroupParts;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Partitions rows of one side of a join by bits of their keys' hashes and hands each partition to
 * the spill space. Each level uses other bits: a partition that is too large is partitioned again
 * by the bits of a later level. Used by one thread at a time.
 *
 * <p>Input batches are sorted by partition as they arrive and stay pending. When there are enough
 * of them, the rows of each partition become one spillable batch.
 */
final class HashPartitioner implements AutoCloseable {
  /**
   * The number of partitions of a level; on the first level each may be a table of {@code
   * group_find}.
   */
  static final int PARTITIONS = 1 << GroupParts.GROUP_PART_BITS;

  /** The last level: rows that share a partition of it almost certainly have equal hashes. */
  static final int LAST_LEVEL = 5;

  /** All partitions, a bit each. */
  static final long ALL = ~0L;

  /** When the first partition is needed: after all rows that are collected for the table. */
  private static final int DISTANCE = 4 * SpillPlacement.NEAR;

  /** The placement of the first partition, and of memory that belongs to no single partition. */
  static final SpillPlacement PLACEMENT = SpillPlacement.at(DISTANCE, true);

  private final Schema schema;
  private final KeyHashes hashes;
  private final int level;
  private final int shift;
  private final long partitionedBytes;
  private final OperatorContext context;
  private final GatherKernel gather;
  private final RowGather rowGather;
  private final List<SpilledPartition> partitions = SpilledPartition.partitions();
  private final List<Sorted> pending = new ArrayList<>();
  private final RetainedBytes pendingBytes = new RetainedBytes();

  /**
   * How many partitions of the pending rows are spillable already; above 0 only when spilling was
   * refused memory.
   */
  private int spilledPartitions;

  private final int[] counts = new int[PARTITIONS + 1];

  /**
   * The partition of each row of the current batch; {@link #PARTITIONS} for rows that are not
   * wanted.
   */
  private byte[] partitionOf = {};

  /** Rows in the order of their partitions, and the first row of each partition. */
  private record Sorted(RecordBatch rows, int[] firstRows) {}

  /**
   * Prepares.
   *
   * @param side whose rows are partitioned
   * @param level selects the bits of the hashes, from 0
   * @param partitionedBytes bytes of rows that are partitioned together
   */
  HashPartitioner(HashJoin.Side side, int level, long partitionedBytes, OperatorContext context) {
    this.schema = side.schema();
    this.level = level;
    this.shift = Long.SIZE - GroupParts.GROUP_PART_BITS * (level + 1);
    this.partitionedBytes = partitionedBytes;
    this.context = context;
    this.hashes = new KeyHashes(side.keys(), context);
    try {
      this.gather = new GatherKernel(context.backend().host(), context.allocator());
    } catch (RuntimeException | Error e) {
      hashes.close();
      throw e;
    }
    this.rowGather = new RowGather(gather, context.allocator());
  }

  /**
   * Returns the placement of the rows of a partition: they are needed in the order of partitions,
   * and those that are partitioned again after all others.
   */
  static SpillPlacement placement(int level, int partition) {
    return SpillPlacement.at(DISTANCE + level * PARTITIONS + partition, true);
  }

  /**
   * Copies the rows of a batch that belong to the wanted partitions. When it throws, nothing has
   * been copied.
   *
   * @param batch in host memory; stays the caller's
   * @param wanted the wanted partitions, a bit each
   * @return the rows of other partitions: the batch itself when these are all rows, null when there
   *     are none, else a copy owned by the caller
   */
  RecordBatch add(RecordBatch batch, long wanted) {
    if (spilledPartitions > 0) {
      spillPending();
    }
    try (MemoryBuffer rowHashes = hashes.of(batch)) {
      count(rowHashes, batch.rowCount(), wanted);
      int others = counts[PARTITIONS];
      if (others == batch.rowCount()) {
        return batch;
      }
      int[] firstRows = firstRows();
      RecordBatch unwanted = null;
      try (MemoryBuffer order = context.allocator().allocate(batch.rowCount() * 4L);
          MemoryBuffer unwantedOrder = context.allocator().allocate(Math.max(others, 1) * 4L)) {
        order(batch.rowCount(), firstRows, order, unwantedOrder);
        unwanted = others == 0 ? null : gathered(batch, unwantedOrder, others);
        addSorted(new Sorted(gathered(batch, order, batch.rowCount() - others), firstRows));
      } catch (RuntimeException | Error e) {
        Closer closer = new Closer();
        closer.close(unwanted);
        closer.suppressIn(e);
        throw e;
      }
      note(rowHashes, batch.rowCount());
      return unwanted;
    }
  }

  /**
   * Copies all rows of the first batch of a queue, then removes and closes the batch. When it
   * throws, nothing has changed.
   *
   * @param observer reads the batch before it is copied
   */
  void addFirst(Deque<SpillableBatch> batches, Consumer<RecordBatch> observer) {
    SpillableBatch spilled = batches.element();
    RecordBatch batch = spilled.read(context.allocator());
    try {
      observer.accept(batch);
      add(batch, ALL);
    } finally {
      spilled.unread();
    }
    batches.remove().close();
  }

  /** Returns bytes of the rows that are not spilled yet. */
  long pendingBytes() {
    return pendingBytes.bytes();
  }

  /** Returns whether a key of a batch, which stays the caller's, is null. */
  boolean hasNullKey(RecordBatch batch) {
    return hashes.hasNullKey(batch);
  }

  private void count(MemoryBuffer rowHashes, int rowCount, long wanted) {
    if (partitionOf.length < rowCount) {
      partitionOf = new byte[rowCount];
    }
    Arrays.fill(counts, 0);
    long at = rowHashes.address();
    for (int row = 0; row < rowCount; row++) {
      int partition = (int) (Memory.getLong(at + row * 8L) >>> shift) & (PARTITIONS - 1);
      int place = (wanted >>> partition & 1) != 0 ? partition : PARTITIONS;
      partitionOf[row] = (byte) place;
      counts[place]++;
    }
  }

  private int[] firstRows() {
    int[] firstRows = new int[PARTITIONS + 1];
    for (int i = 0; i < PARTITIONS; i++) {
      firstRows[i + 1] = firstRows[i] + counts[i];
    }
    return firstRows;
  }

  private void order(
      int rowCount, int[] firstRows, MemoryBuffer order, MemoryBuffer unwantedOrder) {
    int[] next = firstRows.clone();
    next[PARTITIONS] = 0;
    for (int row = 0; row < rowCount; row++) {
      int partition = partitionOf[row];
      long target = (partition == PARTITIONS ? unwantedOrder : order).address();
      Memory.putInt(target + next[partition]++ * 4L, row);
    }
  }

  private void note(MemoryBuffer rowHashes, int rowCount) {
    for (int row = 0; row < rowCount; row++) {
      if (partitionOf[row] < PARTITIONS) {
        partitions.get(partitionOf[row]).note(Memory.getLong(rowHashes.address() + row * 8L));
      }
    }
  }

  private RecordBatch gathered(RecordBatch batch, MemoryBuffer rows, int count) {
    return RecordBatch.of(
        batch.schema(),
        count,
        batch.sequence(),
        c -> rowGather.gather(batch.column(c), rows, count));
  }

  private void addSorted(Sorted sorted) {
    pending.add(sorted);
    pendingBytes.add(sorted.rows());
  }

  /** Makes pending rows spillable, as {@link #spillPending()}, when there are enough of them. */
  void spillPendingIfLarge() {
    if (pendingBytes.bytes() >= partitionedBytes) {
      spillPending();
    }
  }

  /**
   * Makes all pending rows spillable, partition by partition, so that only one partition is in
   * memory twice. When memory is refused, finished partitions stay spillable and the next call
   * continues with the others.
   */
  void spillPending() {
    while (spilledPartitions < PARTITIONS) {
      RecordBatch part = part(spilledPartitions);
      if (part != null) {
        SpilledPartition target = partitions.get(spilledPartitions);
        target.count(part);
        target.add(context.spill().add(part, placement(level, spilledPartitions)));
      }
      spilledPartitions++;
    }
    Closer closer = new Closer();
    pending.forEach(sorted -> closer.close(sorted.rows()));
    pending.clear();
    pendingBytes.clear();
    spilledPartitions = 0;
    closer.rethrow();
  }

  /** Returns the pending rows of a partition, owned by the caller; null for none. */
  private RecordBatch part(int partition) {
    List<Sorted> sources = new ArrayList<>();
    int rowCount = 0;
    for (Sorted sorted : pending) {
      int count = sorted.firstRows()[partition + 1] - sorted.firstRows()[partition];
      if (count > 0) {
        sources.add(sorted);
        rowCount += count;
      }
    }
    if (rowCount == 0) {
      return null;
    }
    RecordBatch rows =
        RecordBatch.of(schema, rowCount, 0, c -> concatenated(sources, c, partition));
    return new HeapCompaction(context.allocator()).compact(rows);
  }

  private ColumnVector concatenated(List<Sorted> sources, int column, int partition) {
    List<ColumnSlice> slices = new ArrayList<>();
    for (Sorted sorted : sources) {
      int first = sorted.firstRows()[partition];
      int count = sorted.firstRows()[partition + 1] - first;
      slices.add(new ColumnSlice(sorted.rows().column(column), first, count));
    }
    return new ColumnConcatenator(context.allocator(), ConcatenationPolicy.SHARE, gather)
        .concatDecoded(schema.field(column).type(), slices);
  }

  /** Moves all rows into other partitions; none may be pending. */
  void moveTo(List<SpilledPartition> target) {
    for (int i = 0; i < PARTITIONS; i++) {
      target.get(i).takeAll(partitions.get(i));
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    pending.forEach(sorted -> closer.close(sorted.rows()));
    pending.clear();
    partitions.forEach(closer::close);
    closer.close(gather);
    closer.close(hashes);
    closer.rethrow();
  }
}
