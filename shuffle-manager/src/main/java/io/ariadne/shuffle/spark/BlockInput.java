package io.ariadne.shuffle.spark;

import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/**
 * What a reader gives: the bytes of a block, or rows that this process keeps, to be taken once,
 * before the next record is asked for.
 */
public final class BlockInput {
  /** Where the bytes of a block come from. */
  @FunctionalInterface
  public interface Source {
    /**
     * Returns all bytes of the block.
     *
     * @param lengthInBytes how many
     * @param allocator where a copy comes from when one is needed
     * @return not to be written to; closed by the caller
     * @throws IOException when there are fewer, or they cannot be read
     */
    MemoryBuffer take(long lengthInBytes, BufferAllocator allocator) throws IOException;
  }

  /** One of the two is null. */
  private final Source source;

  private final Supplier<RetainedRows> rows;
  private long lengthInBytes;
  private long mapId;
  private DamagedBlocks damaged;

  /**
   * Creates an input that stands at no block yet.
   *
   * @param source gives the bytes of each block it stands at
   */
  public BlockInput(Source source) {
    this.source = source;
    this.rows = null;
  }

  private BlockInput(Supplier<RetainedRows> rows) {
    this.source = null;
    this.rows = rows;
  }

  /**
   * Returns an input of rows that stands nowhere yet.
   *
   * @param rows gives those it stands at, held for the caller
   */
  public static BlockInput ofRows(Supplier<RetainedRows> rows) {
    return new BlockInput(rows);
  }

  /** Returns whether there are rows to be {@link #takeRows taken}, and no bytes. */
  public boolean areRows() {
    return rows != null;
  }

  /**
   * Returns the rows.
   *
   * @return closed by the caller
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when they are on disk and find no room;
   *     CORRUPT_DATA when they are damaged there
   */
  public RetainedRows takeRows() {
    return rows.get();
  }

  /**
   * Goes to a block, or to rows.
   *
   * @param length its bytes; of rows any number
   * @param writer number of the attempt of the map task that wrote it
   */
  public void begin(long length, long writer) {
    lengthInBytes = length;
    mapId = writer;
  }

  void reportTo(DamagedBlocks reports) {
    damaged = reports;
  }

  /**
   * Returns what to throw when the block is damaged, which makes Spark run the map task again that
   * it comes from; may be a checked exception.
   *
   * @param cause what is wrong
   */
  public Throwable failure(Throwable cause) {
    return damaged == null ? cause : damaged.failure(mapId, cause);
  }

  /**
   * Returns how many bytes the block has by what stands before it; may be anything when the stream
   * is damaged.
   */
  public long lengthInBytes() {
    return lengthInBytes;
  }

  /**
   * Returns all bytes.
   *
   * @param allocator of host memory
   * @return not to be written to; closed by the caller
   * @throws UncheckedIOException when the stream ends early or fails
   */
  public MemoryBuffer take(BufferAllocator allocator) {
    try {
      return source.take(lengthInBytes, allocator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
