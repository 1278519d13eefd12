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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Divides rows of a side of a join by some bits of the hashes of their keys and puts them to rest,
 * each partition by itself. A level has bits of its own: what is too large is divided further by
 * the next. Used by one thread at a time.
 *
 * <p>Batches are sorted by partition as they come; when there are enough of them, their rows become
 * a batch per partition.
 */
final class HashPartitioner implements AutoCloseable {
  /**
   * How many partitions a level has: on the first one each may be a table of {@code group_find}.
   */
  static final int PARTITIONS = 1 << GroupParts.GROUP_PART_BITS;

  /** The last level: rows that are still together then have equal hashes but by a miracle. */
  static final int LAST_LEVEL = 5;

  /** All partitions, a bit each. */
  static final long ALL = ~0L;

  /** Needed after all that is collected for the table. */
  private static final SpillPlacement WAITING = SpillPlacement.at(4 * SpillPlacement.NEAR, true);

  private final Schema schema;
  private final KeyHashes hashes;
  private final int shift;
  private final long dividedBytes;
  private final OperatorContext context;
  private final GatherKernel gather;
  private final RowGather rowGather;
  private final List<SpilledPartition> partitions = SpilledPartition.partitions();
  private final List<Sorted> pending = new ArrayList<>();
  private final RetainedBytes pendingBytes = new RetainedBytes();

  /** How many of the partitions of the pending rows are at rest already. */
  private int restedPartitions;

  private final int[] counts = new int[PARTITIONS + 1];

  /** The partition of each row of the batch at hand, {@link #PARTITIONS} for those that stay. */
  private byte[] partitionOf = {};

  /** Rows in the order of their partitions, and where each of these begins. */
  private record Sorted(RecordBatch rows, int[] firstRows) {}

  /**
   * Prepares.
   *
   * @param side whose rows are divided
   * @param level which bits
   * @param dividedBytes bytes of rows that are divided together
   */
  HashPartitioner(HashJoin.Side side, int level, long dividedBytes, OperatorContext context) {
    this.schema = side.schema();
    this.shift = Long.SIZE - GroupParts.GROUP_PART_BITS * (level + 1);
    this.dividedBytes = dividedBytes;
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
   * Copies rows of a batch that belong to some partitions. When it throws, none have been copied.
   *
   * @param batch in host memory; stays the caller's
   * @param wanted the partitions, a bit each
   * @return the other rows, owned by the caller: the batch itself for all, null for none
   */
  RecordBatch add(RecordBatch batch, long wanted) {
    if (restedPartitions > 0) {
      rest();
    }
    try (MemoryBuffer rowHashes = hashes.of(batch)) {
      count(rowHashes, batch.rowCount(), wanted);
      int others = counts[PARTITIONS];
      if (others == batch.rowCount()) {
        return batch;
      }
      int[] firstRows = firstRows();
      RecordBatch rest = null;
      try (MemoryBuffer order = context.allocator().allocate(batch.rowCount() * 4L);
          MemoryBuffer restOrder = context.allocator().allocate(Math.max(others, 1) * 4L)) {
        order(batch.rowCount(), firstRows, order, restOrder);
        rest = others == 0 ? null : gathered(batch, restOrder, others);
        addSorted(new Sorted(gathered(batch, order, batch.rowCount() - others), firstRows));
      } catch (RuntimeException | Error e) {
        Closer closer = new Closer();
        closer.close(rest);
        closer.suppressIn(e);
        throw e;
      }
      note(rowHashes, batch.rowCount());
      return rest;
    }
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

  private void order(int rowCount, int[] firstRows, MemoryBuffer order, MemoryBuffer restOrder) {
    int[] next = firstRows.clone();
    next[PARTITIONS] = 0;
    for (int row = 0; row < rowCount; row++) {
      int partition = partitionOf[row];
      long target = (partition == PARTITIONS ? restOrder : order).address();
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

  /** Puts rows to rest, as {@link #rest()}, if there are enough of them. */
  void restIfMany() {
    if (pendingBytes.bytes() >= dividedBytes) {
      rest();
    }
  }

  /**
   * Puts all rows to rest, partition by partition, so that only one of these is held twice. When
   * memory runs out, what is at rest stays there, and the next call goes on.
   */
  void rest() {
    while (restedPartitions < PARTITIONS) {
      RecordBatch part = part(restedPartitions);
      if (part != null) {
        SpilledPartition target = partitions.get(restedPartitions);
        target.count(part);
        target.add(context.spill().add(part, WAITING));
      }
      restedPartitions++;
    }
    Closer closer = new Closer();
    pending.forEach(sorted -> closer.close(sorted.rows()));
    pending.clear();
    pendingBytes.clear();
    restedPartitions = 0;
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

  /** Moves all rows, which are at rest, into those of other threads of work. */
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
