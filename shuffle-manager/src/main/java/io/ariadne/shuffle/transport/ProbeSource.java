package io.ariadne.shuffle.transport;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.Random;

/**
 * Serves the blocks of another source, and besides them noise, by which peers measure the way to
 * this process. Codecs do not make noise shorter. Thread-safe.
 */
public final class ProbeSource implements BlockSource {
  /** Bytes of a row of noise. */
  public static final int ROW_BYTES = 64 << 10;

  /** The number of a shuffle that Spark does not have. */
  private static final int SHUFFLE = Integer.MAX_VALUE;

  /** Rows of a block at most. */
  private static final int MAX_ROWS = 16;

  private final BlockSource source;
  private final BufferAllocator allocator;

  /** Different rows, because codecs find a row that comes again. */
  private final byte[] noise = new byte[MAX_ROWS * ROW_BYTES];

  /**
   * Creates a source.
   *
   * @param source has all other blocks
   * @param allocator host memory for noise
   */
  public ProbeSource(BlockSource source, BufferAllocator allocator) {
    this.source = source;
    this.allocator = allocator;
    new Random(SHUFFLE).nextBytes(noise);
  }

  /** Returns a range of so many rows of noise. */
  public static BlockRange range(long rows) {
    return new BlockRange(SHUFFLE, rows, 0, 1, 0);
  }

  @Override
  public Blocks open(BlockRange range, long maxBytes) {
    return range.shuffleId() == SHUFFLE
        ? new Noise(range.mapId() - range.firstRow(), maxBytes)
        : source.open(range, maxBytes);
  }

  private final class Noise implements Blocks {
    private final int maxRows;
    private long rowsLeft;

    Noise(long rowsLeft, long maxBytes) {
      this.rowsLeft = rowsLeft;
      this.maxRows = (int) Math.max(1, Math.min(maxBytes / ROW_BYTES, MAX_ROWS));
    }

    @Override
    public long next(long bytesLeft) {
      return (long) rows() * ROW_BYTES;
    }

    @Override
    public int rows() {
      return (int) Math.max(0, Math.min(maxRows, rowsLeft));
    }

    @Override
    public MemoryBuffer encode() {
      int rows = rows();
      MemoryBuffer block = allocator.allocate((long) rows * ROW_BYTES);
      Memory.copy(noise, 0, block.address(), rows * ROW_BYTES);
      rowsLeft -= rows;
      return block;
    }

    @Override
    public void close() {}
  }
}
