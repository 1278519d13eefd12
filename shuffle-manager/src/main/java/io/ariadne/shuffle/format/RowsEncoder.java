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
 * Makes blocks of rows, which stay where they are: one, or more when these are too many for it.
 * Used by one thread.
 */
public final class RowsEncoder {
  /** Rows of a block at most: whoever reads it makes batches of whole blocks. */
  static final int BLOCK_ROWS = 1 << 16;

  /** So many rows are divided, when memory for their block is refused; fewer are an error. */
  static final int DIVIDED_ROWS = 1024;

  private final BufferAllocator allocator;
  private final long maxBlockBytes;

  /** Rows that are no blocks yet. */
  private final Deque<List<Rows>> parts = new ArrayDeque<>();

  /**
   * Neighbouring rows of a batch.
   *
   * @param batch in host memory; stays its owner's
   * @param first the first row
   * @param count how many
   */
  public record Rows(RecordBatch batch, int first, int count) {}

  /**
   * Creates one without rows.
   *
   * @param allocator where blocks come from, host memory
   */
  public RowsEncoder(BufferAllocator allocator) {
    this(allocator, EncodedBlock.MAX_BYTES);
  }

  RowsEncoder(BufferAllocator allocator, long maxBlockBytes) {
    this.allocator = allocator;
    this.maxBlockBytes = maxBlockBytes;
  }

  /**
   * Gives rows for the next blocks.
   *
   * @param rows of batches that are laid out alike, at least one row; stay as they are until the
   *     last block is made
   */
  public void add(List<Rows> rows) {
    parts.add(rows);
  }

  /** Returns whether there are no rows. */
  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /** Forgets all rows. */
  public void clear() {
    parts.clear();
  }

  /**
   * Returns the next block, owned by the caller; null when there are no more rows. There are fewer
   * rows in it when memory for more is refused.
   *
   * @throws EngineException OUT_OF_MEMORY when it is also refused for few rows, which are forgotten
   */
  public EncodedBlock next() {
    while (!parts.isEmpty()) {
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
        try {
          return encode(encoders, layouts, rowCount, length);
        } catch (EngineException e) {
          if (e.code() != ErrorCode.OUT_OF_MEMORY || rowCount < DIVIDED_ROWS) {
            throw e;
          }
        }
      }
      divide(rows, rowCount);
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
}
