package io.ariadne.shuffle.format;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Encodes borrowed rows as a block, or as several when one cannot take them all. Used by one
 * thread.
 */
public final class RowsEncoder {
  /** Most rows of a block: readers make batches of whole blocks. */
  static final int BLOCK_ROWS = 1 << 16;

  /** Rows from which on a block is divided when memory for it is refused. */
  static final int DIVIDED_ROWS = 1024;

  private final BufferAllocator allocator;
  private final long maxBlockBytes;

  /** Rows that are not encoded yet. */
  private final Deque<List<Rows>> parts = new ArrayDeque<>();

  /** The next block; null when it is not determined yet. */
  private Prepared prepared;

  private record Prepared(
      List<Rows> rows,
      List<ColumnEncoder> encoders,
      List<BlockColumn> layouts,
      int rowCount,
      long length) {}

  /**
   * Consecutive rows of a batch.
   *
   * @param batch in host memory; stays its owner's
   * @param first the first row
   * @param count the number of rows
   */
  public record Rows(RecordBatch batch, int first, int count) {}

  /**
   * Creates an encoder without rows.
   *
   * @param allocator host memory for the blocks
   */
  public RowsEncoder(BufferAllocator allocator) {
    this(allocator, EncodedBlock.MAX_BYTES);
  }

  /**
   * Creates an encoder without rows.
   *
   * @param allocator host memory for the blocks
   * @param maxBlockBytes bytes of a block at most, unless it has one row
   */
  public RowsEncoder(BufferAllocator allocator, long maxBlockBytes) {
    this.allocator = allocator;
    this.maxBlockBytes = Math.min(maxBlockBytes, EncodedBlock.MAX_BYTES);
  }

  /**
   * Adds rows for the next blocks.
   *
   * @param rows of batches with the same layouts, at least one row; the caller keeps them unchanged
   *     until the last block is made
   */
  public void add(List<Rows> rows) {
    parts.add(rows);
  }

  /** Returns whether there are no rows. */
  public boolean isEmpty() {
    return prepared == null && parts.isEmpty();
  }

  /** Forgets all rows. */
  public void clear() {
    prepared = null;
    parts.clear();
  }

  /**
   * Determines the rows of the next block, which {@link #encode} makes.
   *
   * @param maxBytes bytes of the block at most, unless it has one row
   * @return bytes of the block; 0 when there are no more rows
   */
  public long prepare(long maxBytes) {
    long most = Math.min(maxBytes, maxBlockBytes);
    if (prepared != null && prepared.length() > most) {
      parts.addFirst(prepared.rows());
      prepared = null;
    }
    while (prepared == null && !parts.isEmpty()) {
      List<Rows> rows = parts.removeFirst();
      int rowCount = rows.stream().mapToInt(Rows::count).sum();
      if (rowCount <= BLOCK_ROWS) {
        List<ColumnEncoder> encoders = encoders(rows);
        List<BlockColumn> layouts = encoders.stream().map(ColumnEncoder::layout).toList();
        long length = EncodedBlock.encodedBytes(layouts);
        if (length <= most || rowCount == 1) {
          prepared = new Prepared(rows, encoders, layouts, rowCount, length);
        }
      }
      if (prepared == null) {
        divide(rows, rowCount);
      }
    }
    return prepared == null ? 0 : prepared.length();
  }

  /** Returns the number of rows of the prepared block. */
  public int preparedRows() {
    return prepared.rowCount();
  }

  /**
   * Encodes the prepared block, which stays prepared when this throws.
   *
   * @return the block, owned by the caller
   * @throws EngineException OUT_OF_MEMORY when memory is refused
   */
  public EncodedBlock encode() {
    EncodedBlock block =
        encode(prepared.encoders(), prepared.layouts(), prepared.rowCount(), prepared.length());
    prepared = null;
    return block;
  }

  /**
   * Returns the next block, owned by the caller; null when there are no more rows. When memory for
   * the block is refused, a block with fewer rows is made.
   *
   * @throws EngineException OUT_OF_MEMORY when memory is refused for fewer than {@link
   *     #DIVIDED_ROWS} rows, which are forgotten
   */
  public EncodedBlock next() {
    while (prepare(maxBlockBytes) > 0) {
      try {
        return encode();
      } catch (EngineException e) {
        Prepared refused = prepared;
        prepared = null;
        if (e.code() != ErrorCode.OUT_OF_MEMORY || refused.rowCount() < DIVIDED_ROWS) {
          throw e;
        }
        divide(refused.rows(), refused.rowCount());
      }
    }
    return null;
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

  /** Returns the rows from one position to another. */
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
}
