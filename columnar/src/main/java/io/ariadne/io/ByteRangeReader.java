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
  /** What {@link #modificationTimeMillis} says when it does not know. */
  long UNKNOWN_TIME = -1;

  /** Returns the length in bytes that the file had when it was opened. */
  long lengthInBytes();

  /**
   * Returns when the file that was opened had last been changed, in milliseconds since 1970, or
   * {@link #UNKNOWN_TIME}. With name and length it tells a file from one that has taken its place.
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
   * @throws IOException when the range is not there or the transfer fails; the message names the
   *     file
   */
  void read(long position, MemoryBuffer target, long targetOffset, long length) throws IOException;

  /**
   * Reads several ranges; blocks until all have arrived. What the targets hold after a failure is
   * undefined, but nobody writes to them any more.
   *
   * @param ranges in any order; their targets' ranges do not overlap
   * @throws IOException when one cannot be read; the message names the file
   */
  default void readAll(List<ByteRange> ranges) throws IOException {
    for (ByteRange range : ranges) {
      read(range.position(), range.target(), range.targetOffset(), range.length());
    }
  }

  /**
   * Returns whether {@link #readAll} of ranges that lie apart takes clearly less time than one read
   * after the other, so that it is worth memory to ask for them early.
   */
  default boolean isFasterTogether() {
    return false;
  }

  @Override
  void close() throws IOException;
}
