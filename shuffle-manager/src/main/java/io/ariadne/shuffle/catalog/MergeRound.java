package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Merges blocks of several map outputs of one shuffle. Gathers them, and copies them at the commit
 * to spillable batches in the order of their partitions. Used by one thread; another thread may
 * drop the shuffle, and the commit then discards everything.
 */
public final class MergeRound implements AutoCloseable {
  /** Bytes of a batch, which is spilled and read back as a whole, at the end of a partition. */
  private static final long FULL_BYTES = 512 << 10;

  /** Bytes of a batch of one partition. */
  private static final long MOST_BYTES = 4 << 20;

  private static final Schema BYTES =
      new Schema(List.of(new Field("bytes", PrimitiveType.INT8, false)));

  private final MapOutputs outputs;
  private final MergedOutputs merged;
  private final int shuffleId;
  private final List<Block> gathered = new ArrayList<>();
  private final List<MergedBatch> packed = new ArrayList<>();
  private long gatheredBytes;

  /** Number of gathered blocks that are in batches and freed. */
  private int packedCount;

  private boolean isCommitted;

  private record Block(int partition, long mapId, int rows, MemoryBuffer bytes) {}

  MergeRound(MapOutputs outputs, MergedOutputs merged, int shuffleId) {
    this.outputs = outputs;
    this.merged = merged;
    this.shuffleId = shuffleId;
    merged.begin(this);
  }

  int shuffleId() {
    return shuffleId;
  }

  /** Returns host memory for blocks that are to be added. */
  public BufferAllocator allocator() {
    return outputs.pool();
  }

  /** Returns the bytes of the blocks that were added. */
  public long sizeInBytes() {
    return gatheredBytes;
  }

  /**
   * Adds a block. Blocks of a partition of a map output are added in their order.
   *
   * @param partition its partition
   * @param mapId the map attempt whose rows it has
   * @param rows number of rows, at least 1
   * @param bytes ownership passes to this object
   */
  public void add(int partition, long mapId, int rows, MemoryBuffer bytes) {
    gathered.add(new Block(partition, mapId, rows, bytes));
    gatheredBytes += bytes.lengthInBytes();
  }

  /**
   * Makes the rows known to readers, all at once.
   *
   * @param mapIds attempts all of whose rows of the partitions were added
   * @param firstPartition the first partition
   * @param endPartition behind the last partition
   * @return false when the shuffle was dropped since the round began
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when neither memory nor disk has space
   */
  public boolean commit(Collection<Long> mapIds, int firstPartition, int endPartition) {
    gathered.sort(Comparator.comparingInt(Block::partition));
    long bytes = 0;
    for (int i = 0; i < gathered.size(); i++) {
      bytes += MemoryBuffer.padded(gathered.get(i).bytes().lengthInBytes());
      boolean isLast = i + 1 == gathered.size();
      boolean endsPartition =
          isLast || gathered.get(i + 1).partition() != gathered.get(i).partition();
      if (isLast || bytes >= (endsPartition ? FULL_BYTES : MOST_BYTES)) {
        packed.add(pack(gathered.subList(packedCount, i + 1), bytes));
        for (; packedCount <= i; packedCount++) {
          gathered.get(packedCount).bytes().close();
        }
        bytes = 0;
      }
    }
    isCommitted = merged.commit(this, packed, mapIds, firstPartition, endPartition);
    return isCommitted;
  }

  private MergedBatch pack(List<Block> blocks, long sizeInBytes) {
    MemoryBuffer target = outputs.pool().allocate(sizeInBytes);
    List<MergedBatch.Segment> segments = new ArrayList<>(blocks.size());
    long offset = 0;
    for (Block block : blocks) {
      long length = block.bytes().lengthInBytes();
      Memory.copy(block.bytes().address(), target.address() + offset, length);
      segments.add(
          new MergedBatch.Segment(block.partition(), block.mapId(), block.rows(), offset, length));
      offset += MemoryBuffer.padded(length);
    }
    ColumnVector column =
        ColumnVector.flat(
            PrimitiveType.INT8, PhysicalType.I8, Math.toIntExact(sizeInBytes), target, null);
    RecordBatch batch =
        new RecordBatch(BYTES, Math.toIntExact(sizeInBytes), List.of(column), packed.size());
    return new MergedBatch(outputs.keepMerged(shuffleId, batch, sizeInBytes), segments);
  }

  /** Frees the added blocks, and what was not committed. */
  @Override
  public void close() {
    merged.end(this);
    Closer closer = new Closer();
    gathered.subList(packedCount, gathered.size()).forEach(block -> closer.close(block.bytes()));
    gathered.clear();
    packedCount = 0;
    if (!isCommitted) {
      packed.forEach(batch -> closer.close(batch::drop));
    }
    packed.clear();
    closer.rethrow();
  }
}
