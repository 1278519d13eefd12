package io.ariadne.io;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Reads ranges of one immutable file into buffers. Thread-safe.
 *
 * <p>Implementations are found through {@link java.util.ServiceLoader} by their {@link
 * ByteRangeReaderProvider} and know nothing of formats.
 */
public interface ByteRangeReader extends AutoCloseable {
  /** Value of {@link #modificationTimeMillis} when the time is unknown. */
  long UNKNOWN_TIME = -1;

  /**
   * Returns the length in bytes that the file had when it was opened, or that the caller of {@link
   * ByteRangeReaderProvider#open} has stated.
   */
  long lengthInBytes();

  /**
   * Returns when the opened file was last modified, in milliseconds since 1970, or {@link
   * #UNKNOWN_TIME}. Together with name and length it distinguishes a file from its replacement.
   */
  default long modificationTimeMillis() {
    return UNKNOWN_TIME;
  }

  /**
   * Returns what the storage calls the version of the file that is read, such as an ETag, or an
   * empty text while it is unknown. Once known it does not change. Files of one name with equal
   * versions have equal bytes.
   */
  default String version() {
    return "";
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
   * Starts to read several ranges and returns at once. Readers without asynchronous reads run
   * {@link #readAll} on one of the given threads.
   *
   * <p>The caller keeps the targets and this reader open until {@link PendingRead#completion} is
   * complete.
   *
   * @param ranges in any order; their targets' ranges do not overlap
   * @param threads threads that may block, for readers that need one
   * @return the read; a range outside the file fails it
   */
  default PendingRead start(List<ByteRange> ranges, Executor threads) {
    return BlockingRead.start(this, ranges, threads);
  }

  /**
   * Returns whether {@link #readAll} of distant ranges takes clearly less time than one read after
   * the other, so that it pays to spend memory on early reads.
   */
  default boolean isFasterTogether() {
    return false;
  }

  /**
   * Returns whether reading a range would wait for a device or a network now, as opposed to copying
   * it from memory. Such ranges are read ahead of their use. A snapshot; does no I/O.
   *
   * @param position first byte
   * @param length bytes
   */
  default boolean waits(long position, long length) {
    return true;
  }

  /**
   * Tells the version of the file that the caller has read before. A reader that knows versions
   * then fails reads of another one, as of a file that was replaced while it was read; other
   * readers do nothing. Called before the first read.
   *
   * @param version a {@link #version} of a reader of the same file, not empty
   */
  default void expectVersion(String version) {}

  /**
   * Returns how long recent requests to the storage took until their first byte, in nanoseconds; 0
   * when the reader does not know.
   */
  default long firstByteNanos() {
    return 0;
  }

  /**
   * Returns a name of the storage, for statistics of how long its requests take: the same for files
   * of the same storage.
   */
  default String storage() {
    return getClass().getName();
  }

  /**
   * Returns the alignment at which bytes reach the target without a copy: a power of two, 1 when
   * the reader has none. No copy is needed where the address of a byte in the target and its
   * position in the file are equal modulo this number.
   */
  default int alignmentInBytes() {
    return 1;
  }

  @Override
  void close() throws IOException;
}
