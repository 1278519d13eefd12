package io.ariadne.shuffle.format;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.concat.RowConcatenator;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gathers batches whose rows are in the order of their partitions, and encodes the rows of each
 * partition as blocks once there are enough. Owns the batches. Used by one thread.
 *
 * <p>Rows of a partition keep their order, within a block and from one block to the next.
 */
public final class BlockBuffer implements AutoCloseable {
  /** Shared heaps and dictionaries may have this many times the target's bytes. */
  private static final int SHARED_RATIO = 4;

  private final int partitions;
  private final long targetBytes;
  private final RowsEncoder encoder;
  private final List<Gathered> batches = new ArrayList<>();
  private final Map<Object, Long> shared = new IdentityHashMap<>();
  private long ownBytes;
  private long sharedBytes;

  private int partition = -1;

  /** A batch with the first row of each partition, then the number of rows. */
  private record Gathered(RecordBatch batch, int[] firstRows) {}

  /**
   * Creates an empty buffer.
   *
   * @param partitions the number of partitions, at least 1
   * @param targetBytes bytes to gather before blocks are made
   * @param allocator host memory for the blocks
   */
  public BlockBuffer(int partitions, long targetBytes, BufferAllocator allocator) {
    this(partitions, targetBytes, EncodedBlock.MAX_BYTES, allocator);
  }

  BlockBuffer(int partitions, long targetBytes, long maxBlockBytes, BufferAllocator allocator) {
    this.partitions = partitions;
    this.targetBytes = targetBytes;
    this.encoder = new RowsEncoder(allocator, maxBlockBytes);
  }

  /**
   * Gathers a batch.
   *
   * @param batch in host memory, with the layouts of the gathered batches ({@link #canAdd});
   *     ownership passes to this buffer
   * @param firstRows the first row of each partition, then the number of rows
   */
  public void add(RecordBatch batch, int[] firstRows) {
    if (firstRows.length != partitions + 1 || firstRows[partitions] != batch.rowCount()) {
      batch.close();
      throw new IllegalArgumentException("rows of other than " + partitions + " partitions");
    }
    batches.add(new Gathered(batch, firstRows));
    ownBytes += batch.ownSizeInBytes() + (long) firstRows.length * Integer.BYTES;
    batch.visitShared(
        (object, bytes) -> {
          if (shared.put(object, bytes) == null) {
            sharedBytes += bytes;
          }
        });
  }

  /** Returns whether a batch can be gathered: there are none, or it has their layouts. */
  public boolean canAdd(RecordBatch batch) {
    return batches.isEmpty() || RowConcatenator.haveSameLayouts(batches.get(0).batch(), batch);
  }

  /** Returns whether there are enough rows to make blocks. */
  public boolean isFull() {
    return ownBytes >= targetBytes || sharedBytes >= SHARED_RATIO * targetBytes;
  }

  /** Returns whether there are no batches. */
  public boolean isEmpty() {
    return batches.isEmpty();
  }

  /**
   * Returns the next block, in the order of partitions, owned by the caller. Returns null after the
   * last block; the buffer is then empty again. The caller adds nothing between the first block and
   * the null.
   */
  public EncodedBlock next() {
    while (encoder.isEmpty()) {
      if (batches.isEmpty() || ++partition == partitions) {
        clear();
        return null;
      }
      List<RowsEncoder.Rows> rows = rowsOf(partition);
      if (!rows.isEmpty()) {
        encoder.add(rows);
      }
    }
    return encoder.next();
  }

  /** Returns the partition of the block that {@link #next} returned last. */
  public int partition() {
    return partition;
  }

  private List<RowsEncoder.Rows> rowsOf(int number) {
    List<RowsEncoder.Rows> rows = new ArrayList<>();
    for (Gathered gathered : batches) {
      int first = gathered.firstRows()[number];
      int count = gathered.firstRows()[number + 1] - first;
      if (count > 0) {
        rows.add(new RowsEncoder.Rows(gathered.batch(), first, count));
      }
    }
    return rows;
  }

  private void clear() {
    partition = -1;
    encoder.clear();
    shared.clear();
    ownBytes = 0;
    sharedBytes = 0;
    Closer closer = new Closer();
    batches.forEach(gathered -> closer.close(gathered.batch()));
    batches.clear();
    closer.rethrow();
  }

  /** Frees the gathered batches. Idempotent. */
  @Override
  public void close() {
    clear();
  }
}
