package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.memory.MemoryPool;
import io.ariadne.spill.SpillableBatch;

/**
 * Goes through blocks of a map output, partition by partition, those of a partition in the order in
 * which they were written. Used by one thread; keeps the output until it is closed.
 */
public final class MapOutputReader implements AutoCloseable {
  /**
   * Uses bytes while they are in memory.
   *
   * @param <E> what that may throw
   */
  @FunctionalInterface
  public interface BytesUser<E extends Exception> {
    /** Uses a block whose first byte has this address, in host memory that stays the output's. */
    void use(long address) throws E;
  }

  private final MapOutput output;
  private final MemoryPool pool;
  private final int firstPartition;
  private final int endPartition;
  private int next;
  private MapOutput.Block block;
  private boolean closed;

  MapOutputReader(MapOutput output, MemoryPool pool, int firstPartition, int endPartition) {
    this.output = output;
    this.pool = pool;
    this.firstPartition = firstPartition;
    this.endPartition = endPartition;
    this.next = output.firstBlock(firstPartition);
    if (endPartition < firstPartition || output.firstBlock(endPartition) < next) {
      throw new IndexOutOfBoundsException(
          "partitions from " + firstPartition + " to " + endPartition);
    }
  }

  /** Returns bytes of all blocks. */
  public long totalBytes() {
    long sum = 0;
    for (int i = output.firstBlock(firstPartition); i < output.firstBlock(endPartition); i++) {
      sum += output.block(i).lengthInBytes();
    }
    return sum;
  }

  /** Goes to the next block; returns whether there is one. */
  public boolean next() {
    block = next < output.firstBlock(endPartition) ? output.block(next++) : null;
    return block != null;
  }

  /** Returns bytes of the block. */
  public long lengthInBytes() {
    return block.lengthInBytes();
  }

  /**
   * Has the block used; blocks while its segment comes back from disk.
   *
   * @param user called once
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when a segment on disk finds no room;
   *     CORRUPT_DATA when its bytes there are damaged
   */
  public <E extends Exception> void read(BytesUser<E> user) throws E {
    SpillableBatch segment = output.segment(block.segment());
    RecordBatch words = segment.read(pool);
    try {
      user.use(words.column(0).data().address() + block.offset());
    } finally {
      segment.unread();
    }
  }

  /**
   * Returns the block's bytes: where they are when the block is most of what its segment holds,
   * which stays in memory as long, else a copy. Otherwise as {@link #read}.
   *
   * @param allocator of host memory for a copy
   * @return not to be written to; to be closed by the caller, also after this
   */
  public MemoryBuffer take(BufferAllocator allocator) {
    return lengthInBytes() >= MapOutputWriter.SEGMENT_BYTES / 2 ? borrow() : copy(allocator);
  }

  private MemoryBuffer borrow() {
    SpillableBatch segment = output.segment(block.segment());
    output.lease();
    try {
      long address = segment.read(pool).column(0).data().address() + block.offset();
      return new MemoryBuffer(
          address,
          lengthInBytes(),
          lengthInBytes(),
          pool.tier(),
          closed -> {
            segment.unread();
            output.endLease();
          });
    } catch (RuntimeException | Error e) {
      output.endLease();
      throw e;
    }
  }

  /** Takes the memory first: the segment may leave again while somebody waits for it. */
  private MemoryBuffer copy(BufferAllocator allocator) {
    MemoryBuffer copy = allocator.allocate(lengthInBytes());
    try {
      read(address -> Memory.copy(address, copy.address(), lengthInBytes()));
      return copy;
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    }
  }

  /** Lets go of the output. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      output.endLease();
    }
  }
}
