package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Reads blocks of map outputs that were merged, batch by batch: each batch is read from disk once.
 * Blocks of one partition of one map output come in their order. Used by one thread. The batches
 * stay until the reader is closed.
 */
public final class MergedReader implements AutoCloseable {
  private final List<MergedBatch> batches;
  private final Predicate<MergedBatch.Segment> isWanted;
  private final Supplier<MemoryPool> pool;
  private final Consumer<MergedBatch> forget;
  private int nextBatch;
  private int nextSegment;

  /** The batch of the current block; null before the first one. */
  private MergedBatch batch;

  private MergedBatch.Segment segment;

  /** Whether this keeps the batch in memory for its next blocks. */
  private boolean isHeld;

  private long readBackBytes;
  private boolean closed;

  /**
   * Creates a reader at no block.
   *
   * @param batches leased for this reader
   * @param isWanted chooses blocks
   * @param pool for batches that are read back from disk
   * @param forget drops a batch whose bytes are damaged on disk
   */
  MergedReader(
      List<MergedBatch> batches,
      Predicate<MergedBatch.Segment> isWanted,
      Supplier<MemoryPool> pool,
      Consumer<MergedBatch> forget) {
    this.batches = batches;
    this.isWanted = isWanted;
    this.pool = pool;
    this.forget = forget;
  }

  /** Moves to the next block; returns whether there is one. */
  public boolean next() {
    while (batch != null || nextBatch < batches.size()) {
      if (batch == null) {
        batch = batches.get(nextBatch++);
        nextSegment = 0;
      }
      while (nextSegment < batch.segments().size()) {
        segment = batch.segments().get(nextSegment++);
        if (isWanted.test(segment)) {
          return true;
        }
      }
      letGo();
      batch = null;
    }
    return false;
  }

  /** Returns the map attempt whose rows the current block has. */
  public long mapId() {
    return segment.mapId();
  }

  /** Returns the number of rows of the current block. */
  public int rows() {
    return segment.rows();
  }

  /** Returns the number of bytes of the current block. */
  public long lengthInBytes() {
    return segment.lengthInBytes();
  }

  /**
   * Returns the current block, which stays in memory until the caller closes it, also after the
   * reader is closed and the shuffle is dropped. Blocks while its batch is read back from disk.
   * Drops the rows of all map attempts of the batch when its bytes are damaged there.
   *
   * @return bytes that must not be written to
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when there is no memory for a batch on
   *     disk; CORRUPT_DATA when its bytes on disk are damaged
   */
  public MemoryBuffer take() {
    BufferAllocator allocator = pool.get();
    MergedBatch of = batch;
    try {
      if (!isHeld) {
        of.bytes().read(allocator);
        isHeld = true;
        readBackBytes += of.bytes().takeReadBackBytes();
        prefetchNext();
      }
      RecordBatch bytes = of.bytes().read(allocator);
      MemoryBuffer all = bytes.column(0).data();
      return new MemoryBuffer(
          all.address() + segment.offset(),
          segment.lengthInBytes(),
          MemoryBuffer.padded(segment.lengthInBytes()),
          all.tier(),
          unused -> of.bytes().unread());
    } catch (EngineException e) {
      if (e.code() == ErrorCode.CORRUPT_DATA) {
        forget.accept(of);
      }
      throw e;
    }
  }

  /** Returns the bytes of batches that were read back from disk for this reader so far. */
  public long readBackBytes() {
    return readBackBytes;
  }

  private void prefetchNext() {
    if (nextBatch < batches.size()) {
      batches.get(nextBatch).bytes().prefetch();
    }
  }

  private void letGo() {
    if (isHeld) {
      isHeld = false;
      batch.bytes().unread();
    }
  }

  /** Ends the use of the batches. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    Closer closer = new Closer();
    closer.close(this::letGo);
    batches.forEach(each -> closer.close(each::endLease));
    closer.rethrow();
  }
}
