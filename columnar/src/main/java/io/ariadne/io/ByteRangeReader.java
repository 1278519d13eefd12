package io.ariadne.io;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.io.IOException;
import java.util.List;

/**
 * Reads ranges of one immutable file into buffers. Thread-safe.
 *
 * <p>Implementations are found through {@link java.util.ServiceLoader} by their provider and know
 * nothing of formats.
 */
public interface ByteRangeReader extends AutoCloseable {
  /** Value of {@link #modificationTimeMillis} when the time is unknown. */
  long UNKNOWN_TIME = -1;

  /** Returns the length in bytes that the file had when it was opened. */
  long lengthInBytes();

  /**
   * Returns when the opened file was last modified, in milliseconds since 1970, or {@link
   * #UNKNOWN_TIME}. Together with name and length it distinguishes a file from its replacement.
   */
  default long modificationTimeMillis() {
    return UNKNOWN_TIME;
  }

  /**
   * Reads exactly {@code length} bytes; blocks until they have arrived.
   *
   * @param position first byte in the file
   * @param target where the bytes go; its tier must be one the reader supports
   * @param targetOffset first byte in the target
   * @param length bytes to read
   * @throws IOException when the range is outside the file or the transfer fails; the message names
   *     the file
   */
  void read(long position, MemoryBuffer target, long targetOffset, long length) throws IOException;

  /**
   * Reads several ranges; blocks until all have arrived. After a failure the contents of the
   * targets are undefined, but no write to them is in progress.
   *
   * @param ranges in any order; their targets' ranges do not overlap
   * @throws IOException when a range cannot be read; the message names the file
   */
  default void readAll(List<ByteRange> ranges) throws IOException {
    for (ByteRange range : ranges) {
      read(range.position(), range.target(), range.targetOffset(), range.length());
    }
  }

  /**
   * Returns whether {@link #readAll} of distant ranges takes clearly less time than one read after
   * the other, so that it pays to spend memory on early reads.
   */
  default boolean isFasterTogether() {
    return false;
  }

  @Override
  void close() throws IOException;
}
