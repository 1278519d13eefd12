package io.ariadne.shuffle.transport;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Rows of bytes that a test serves, as if they were read back from disk; a block is some rows one
 * after another. Thread-safe.
 */
final class TestingBlocks implements BlockSource {
  private final BufferAllocator allocator;
  private final int blockRows;
  private final Map<BlockRange, List<byte[]>> ranges = new ConcurrentHashMap<>();
  private volatile Consumer<BlockRange> beforeBlock = range -> {};

  /**
   * Creates a source without rows.
   *
   * @param allocator memory for blocks
   * @param blockRows rows of a block at most
   */
  TestingBlocks(BufferAllocator allocator, int blockRows) {
    this.allocator = allocator;
    this.blockRows = blockRows;
  }

  /** Adds rows of at least one byte each. */
  void add(BlockRange range, List<byte[]> rows) {
    ranges.put(range, rows);
  }

  /** Returns the rows of a range that was added. */
  List<byte[]> rows(BlockRange range) {
    return ranges.get(range);
  }

  /** Gives the rows of a range to another source, too. */
  void copy(BlockRange range, TestingBlocks target) {
    target.add(range, rows(range));
  }

  void remove(BlockRange range) {
    ranges.remove(range);
  }

  /** Sets what is done before a block, and the end of a range, is looked for; may throw. */
  void beforeBlock(Consumer<BlockRange> action) {
    beforeBlock = action;
  }

  @Override
  public Blocks open(BlockRange range, long maxBytes) {
    List<byte[]> rows =
        ranges.get(
            new BlockRange(
                range.shuffleId(), range.mapId(), range.firstPartition(), range.endPartition(), 0));
    return rows == null ? null : new Rows(range, rows, maxBytes);
  }

  private final class Rows implements Blocks {
    private final BlockRange range;
    private final List<byte[]> rows;
    private final long maxBytes;
    private int first;
    private int count;
    private long bytes;
    private long readBackBytes;

    Rows(BlockRange range, List<byte[]> rows, long maxBytes) {
      this.range = range;
      this.rows = rows;
      this.maxBytes = maxBytes;
      this.first = (int) range.firstRow();
    }

    @Override
    public long next(long bytesLeft) {
      if (count == 0) {
        beforeBlock.accept(range);
        bytes = 0;
        while (first + count < rows.size() && count < blockRows) {
          int length = rows.get(first + count).length;
          if (count > 0 && bytes + length > maxBytes) {
            break;
          }
          bytes += length;
          count++;
        }
      }
      return bytes;
    }

    @Override
    public int rows() {
      return count;
    }

    @Override
    public MemoryBuffer encode() {
      MemoryBuffer block = allocator.allocate(bytes);
      long at = block.address();
      for (byte[] row : rows.subList(first, first + count)) {
        Memory.copy(row, 0, at, row.length);
        at += row.length;
      }
      first += count;
      count = 0;
      readBackBytes += bytes;
      return block;
    }

    @Override
    public long readBackBytes() {
      return readBackBytes;
    }

    @Override
    public void close() {}
  }
}
