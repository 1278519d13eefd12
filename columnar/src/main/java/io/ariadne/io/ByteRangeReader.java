package io.ariadne.io;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.io.IOException;

/**
 * Reads ranges of one immutable file into buffers. Thread-safe.
 *
 * <p>Implementations are found through {@link java.util.ServiceLoader} by their provider and know
 * nothing of formats.
 */
public interface ByteRangeReader extends AutoCloseable {
  /** Returns the file's length in bytes. */
  long lengthInBytes();

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

  @Override
  void close() throws IOException;
}
