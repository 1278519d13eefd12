package io.ariadne.parquet.page;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Buffers the bytes of a file range that have been read and may still be needed. One buffer moves
 * forward, so that no byte is read twice and memory is bounded. Used by one thread.
 */
final class ReadWindow implements AutoCloseable {
  private final ByteRangeReader reader;
  private final BufferAllocator allocator;
  private final long end;
  private final int windowBytes;
  private final ReadStatistics statistics;
  private SharedBuffer buffer;
  private long start;
  private long limit;
  private long readEnd;

  /**
   * Creates a window at the start of a range.
   *
   * @param reader the file, stays the caller's
   * @param allocator memory that the reader can fill
   * @param start first byte of the range
   * @param end end of the range, exclusive, inside the file
   * @param windowBytes bytes to read at once, if the range has that many
   * @param statistics counts bytes and time
   */
  ReadWindow(
      ByteRangeReader reader,
      BufferAllocator allocator,
      long start,
      long end,
      int windowBytes,
      ReadStatistics statistics) {
    this.reader = reader;
    this.allocator = allocator;
    this.start = start;
    this.limit = start;
    this.end = end;
    this.readEnd = end;
    this.windowBytes = windowBytes;
    this.statistics = statistics;
  }

  /** Returns the end of the range, exclusive. */
  long end() {
    return end;
  }

  /** Limits further reading ahead to an offset, unless more is required. */
  void setReadEnd(long offset) {
    readEnd = Math.min(offset, end);
  }

  /** Returns the number of buffered bytes from a position on. */
  long available(long position) {
    return position < start ? 0 : Math.max(limit - position, 0);
  }

  /**
   * Makes bytes available and discards those before them.
   *
   * @param position first byte, not before that of an earlier call
   * @param length number of bytes; the range has at least as many
   */
  void require(long position, long length) {
    if (available(position) >= length && position >= start) {
      return;
    }
    long wanted = Math.max(length, Math.min(windowBytes, readEnd - position));
    MemoryBuffer next = allocator.allocate(wanted);
    long kept = available(position);
    try {
      if (kept > 0) {
        Memory.copy(address(position), next.address(), kept);
      }
      read(position + kept, next, kept, wanted - kept);
    } catch (RuntimeException | Error e) {
      next.close();
      throw e;
    }
    close();
    buffer = new SharedBuffer(next);
    start = position;
    limit = position + wanted;
  }

  private void read(long position, MemoryBuffer target, long offset, long length) {
    long begin = System.nanoTime();
    try {
      reader.read(position, target, offset, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    statistics.bytesRead += length;
    statistics.readNanos += System.nanoTime() - begin;
  }

  /** Returns the address of an available byte. */
  long address(long position) {
    return buffer.address() + (position - start);
  }

  /** Returns the buffer; this window holds the reference until it moves. */
  SharedBuffer buffer() {
    return buffer;
  }

  @Override
  public void close() {
    SharedBuffer old = buffer;
    buffer = null;
    start = limit;
    if (old != null) {
      old.release();
    }
  }
}
