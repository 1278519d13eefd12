package io.ariadne.shuffle.spark;

import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/**
 * The value of a record that a reduce task reads: the bytes of a block, or rows of a map output in
 * the memory of this process. The task takes the bytes or the rows once, before it asks for the
 * next record. A reader reuses one instance for all of its records. Used by the task thread.
 */
final class BlockInput {
  private static final byte[] NO_BYTES = {};

  /** Where the bytes of a block come from. */
  interface Source {
    /**
     * Reads the first bytes of the block.
     *
     * @param count number of bytes, at most those of the block
     * @throws IOException when the stream ends early or cannot be read
     */
    byte[] readHeader(int count) throws IOException;

    /**
     * Returns all bytes of the block.
     *
     * @param header the first bytes, which were read
     * @param lengthInBytes number of bytes
     * @param allocator allocates host memory where the bytes are not in memory yet
     * @return closed by the caller
     * @throws IOException when the stream ends early or cannot be read
     */
    MemoryBuffer take(byte[] header, long lengthInBytes, BufferAllocator allocator)
        throws IOException;
  }

  /** Null for an input of rows. */
  private final Source source;

  /** Null for an input of bytes. */
  private final Supplier<RetainedRows> rows;

  private long lengthInBytes;
  private long mapId;

  /** What {@link #readHeader} has read of the current block. */
  private byte[] header = NO_BYTES;

  /** Null when damaged blocks are not reported to Spark. */
  private DamagedBlocks damaged;

  /**
   * Creates an input of bytes; {@link #begin} selects the first block.
   *
   * @param source reads the bytes of the current block
   */
  BlockInput(Source source) {
    this.source = source;
    this.rows = null;
  }

  private BlockInput(Supplier<RetainedRows> rows) {
    this.source = null;
    this.rows = rows;
  }

  /**
   * Creates an input of rows; {@link #begin} selects the first ones.
   *
   * @param rows returns the current rows, which the caller closes
   */
  static BlockInput ofRows(Supplier<RetainedRows> rows) {
    return new BlockInput(rows);
  }

  /** Returns whether this is an input of rows, which {@link #takeRows} returns. */
  boolean areRows() {
    return rows != null;
  }

  /**
   * Returns the current rows.
   *
   * @return closed by the caller
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when the rows are on disk and there is
   *     no memory for them; CORRUPT_DATA when they are damaged on disk
   */
  RetainedRows takeRows() {
    return rows.get();
  }

  /**
   * Selects the next block or the next rows.
   *
   * @param length bytes of the block according to the stream, which may be damaged; ignored for
   *     rows
   * @param writer attempt number of the map task that wrote the block or rows
   */
  void begin(long length, long writer) {
    lengthInBytes = length;
    mapId = writer;
    header = NO_BYTES;
  }

  /** Reports further damaged blocks to Spark. */
  void reportTo(DamagedBlocks reports) {
    damaged = reports;
  }

  /**
   * Returns the exception to throw for a damaged block. Thrown in a task, it makes Spark run the
   * map task again that wrote the block. May be a checked exception.
   *
   * @param cause what is wrong with the block
   */
  Throwable failure(Throwable cause) {
    return damaged == null ? cause : damaged.failure(mapId, cause);
  }

  /** Names the block in error messages: shuffle, attempt of the map task and partitions. */
  String name() {
    return damaged == null ? "map attempt " + mapId : damaged.nameOf(mapId);
  }

  /** Returns the block's length according to the stream; any number when the stream is damaged. */
  long lengthInBytes() {
    return lengthInBytes;
  }

  /**
   * Reads the first bytes of the block, which {@link #take} returns again.
   *
   * @param count number of bytes
   * @return fewer bytes when the block is shorter
   * @throws UncheckedIOException when the stream ends early or cannot be read
   */
  byte[] readHeader(int count) {
    try {
      header = source.readHeader((int) Math.min(count, lengthInBytes));
      return header;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns all bytes of the block. Allocates {@link #lengthInBytes} bytes, so callers check the
   * length first.
   *
   * @param allocator allocates host memory
   * @return closed by the caller
   * @throws UncheckedIOException when the stream ends early or cannot be read
   */
  MemoryBuffer take(BufferAllocator allocator) {
    try {
      return source.take(header, lengthInBytes, allocator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
