package io.ariadne.shuffle.format;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gathers batches whose rows lie in the order of their partitions, and makes a block of each
 * partition's rows when enough are there. Owns the batches it was given. Used by one thread.
 *
 * <p>Rows of a partition keep their order, within a block and from one block to the next.
 */
public final class BlockBuffer implements AutoCloseable {
  /** Shared heaps and dictionaries may take this many times the target. */
  private static final int SHARED_RATIO = 4;

  /** Rows of a block at most: whoever reads it makes batches of whole blocks. */
  static final int BLOCK_ROWS = 1 << 16;

  private final int partitions;
  private final long targetBytes;
  private final long maxBlockBytes;
  private final BufferAllocator allocator;
  private final List<Gathered> batches = new ArrayList<>();
  private final Map<Object, Long> shared = new IdentityHashMap<>();
  private long ownBytes;
  private long sharedBytes;

  /** Parts of the current partition that are no blocks yet. */
  private final Deque<List<Rows>> parts = new ArrayDeque<>();

  private int partition = -1;

  /** A batch, and the first row of each partition, and at the end the number of rows. */
  private record Gathered(RecordBatch batch, int[] firstRows) {}

  /** Neighbouring rows of a batch. */
  private record Rows(RecordBatch batch, int first, int count) {}

  /**
   * Creates an empty buffer.
   *
   * @param partitions how many there are, at least 1
   * @param targetBytes bytes to gather before blocks are made
   * @param allocator where blocks come from, host memory
   */
  public BlockBuffer(int partitions, long targetBytes, BufferAllocator allocator) {
    this(partitions, targetBytes, EncodedBlock.MAX_HEAP_BYTES / 2, allocator);
  }

  BlockBuffer(int partitions, long targetBytes, long maxBlockBytes, BufferAllocator allocator) {
    this.partitions = partitions;
    this.targetBytes = targetBytes;
    this.maxBlockBytes = maxBlockBytes;
    this.allocator = allocator;
  }

  /**
   * Gathers a batch.
   *
   * @param batch in host memory, as laid out as those gathered ({@link #canAdd}); owned by this
   *     from now on
   * @param firstRows the first row of each partition, and at the end the number of rows
   */
  public void add(RecordBatch batch, int[] firstRows) {
    if (firstRows.length != partitions + 1 || firstRows[partitions] != batch.rowCount()) {
      batch.close();
      throw new IllegalArgumentException("rows of other than " + partitions + " partitions");
    }
    batches.add(new Gathered(batch, firstRows));
    ownBytes += batch.ownSizeInBytes() + (long) firstRows.length * Integer.BYTES;
    batch.visitShared(
        (thing, bytes) -> {
          if (shared.put(thing, bytes) == null) {
            sharedBytes += bytes;
          }
        });
  }

  /** Returns whether a batch's values are laid out as those gathered, if any are. */
  public boolean canAdd(RecordBatch batch) {
    if (batches.isEmpty()) {
      return true;
    }
    RecordBatch first = batches.get(0).batch();
    for (int i = 0; i < batch.columnCount(); i++) {
      if (!isLike(first.column(i), batch.column(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLike(ColumnVector some, ColumnVector other) {
    boolean isLike = some.valueLayout() == other.valueLayout();
    for (int i = 0; isLike && i < some.children().size(); i++) {
      isLike = isLike(some.children().get(i), other.children().get(i));
    }
    return isLike;
  }

  /** Returns whether enough is gathered. */
  public boolean isFull() {
    return ownBytes >= targetBytes || sharedBytes >= SHARED_RATIO * targetBytes;
  }

  /** Returns whether nothing is gathered. */
  public boolean isEmpty() {
    return batches.isEmpty();
  }

  /**
   * Returns the next block, in the order of partitions, owned by the caller; null when all that was
   * gathered is given out: then the buffer is empty again. Nothing is added in between.
   */
  public EncodedBlock next() {
    while (parts.isEmpty()) {
      if (batches.isEmpty() || ++partition == partitions) {
        clear();
        return null;
      }
      List<Rows> rows = rowsOf(partition);
      if (!rows.isEmpty()) {
        parts.add(rows);
      }
    }
    return encodeFirst();
  }

  /** Returns the partition of the block that {@link #next} returned last. */
  public int partition() {
    return partition;
  }

  private List<Rows> rowsOf(int number) {
    List<Rows> rows = new ArrayList<>();
    for (Gathered gathered : batches) {
      int first = gathered.firstRows()[number];
      int count = gathered.firstRows()[number + 1] - first;
      if (count > 0) {
        rows.add(new Rows(gathered.batch(), first, count));
      }
    }
    return rows;
  }

  private EncodedBlock encodeFirst() {
    while (true) {
      List<Rows> rows = parts.removeFirst();
      int rowCount = rows.stream().mapToInt(Rows::count).sum();
      if (rowCount > BLOCK_ROWS) {
        divide(rows, rowCount);
        continue;
      }
      List<ColumnEncoder> encoders = encoders(rows);
      List<BlockColumn> layouts = encoders.stream().map(ColumnEncoder::layout).toList();
      long length = EncodedBlock.encodedBytes(layouts);
      if (length <= maxBlockBytes || rowCount == 1) {
        return encode(encoders, layouts, rowCount, length);
      }
      divide(rows, rowCount);
    }
  }

  private void divide(List<Rows> rows, int rowCount) {
    int half = rowCount / 2;
    parts.addFirst(part(rows, half, rowCount));
    parts.addFirst(part(rows, 0, half));
  }

  private static List<ColumnEncoder> encoders(List<Rows> rows) {
    List<ColumnEncoder> encoders = new ArrayList<>();
    for (int c = 0; c < rows.get(0).batch().columnCount(); c++) {
      List<ColumnSlice> slices = new ArrayList<>();
      for (Rows part : rows) {
        slices.add(new ColumnSlice(part.batch().column(c), part.first(), part.count()));
      }
      encoders.add(new ColumnEncoder(slices));
    }
    return encoders;
  }

  private EncodedBlock encode(
      List<ColumnEncoder> encoders, List<BlockColumn> layouts, int rowCount, long length) {
    MemoryBuffer bytes = allocator.allocate(length);
    try {
      long at = bytes.address() + EncodedBlock.HEADER_BYTES;
      for (BlockColumn layout : layouts) {
        at += layout.entryBytes();
      }
      for (ColumnEncoder encoder : encoders) {
        at = encoder.write(at);
      }
      return EncodedBlock.seal(bytes, rowCount, layouts);
    } catch (RuntimeException | Error e) {
      bytes.close();
      throw e;
    }
  }

  /** Returns the rows from one place to another. */
  private static List<Rows> part(List<Rows> rows, int from, int to) {
    List<Rows> part = new ArrayList<>();
    int start = 0;
    for (Rows some : rows) {
      int first = Math.max(from, start);
      int end = Math.min(to, start + some.count());
      if (first < end) {
        part.add(new Rows(some.batch(), some.first() + first - start, end - first));
      }
      start += some.count();
    }
    return part;
  }

  private void clear() {
    partition = -1;
    parts.clear();
    shared.clear();
    ownBytes = 0;
    sharedBytes = 0;
    Closer closer = new Closer();
    batches.forEach(gathered -> closer.close(gathered.batch()));
    batches.clear();
    closer.rethrow();
  }

  /** Frees what is gathered. Idempotent. */
  @Override
  public void close() {
    clear();
  }
}
