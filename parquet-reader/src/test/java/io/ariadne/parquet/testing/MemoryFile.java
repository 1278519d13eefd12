package io.ariadne.parquet.testing;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRangeReader;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** A file in memory that counts reads. */
public final class MemoryFile implements ByteRangeReader {
  private final String name;
  private final byte[] content;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();

  /**
   * Makes a file.
   *
   * @param name for messages
   * @param content its bytes, not copied
   */
  public MemoryFile(String name, byte[] content) {
    this.name = name;
    this.content = content;
  }

  @Override
  public long lengthInBytes() {
    return content.length;
  }

  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    if (position < 0 || length < 0 || position > content.length - length) {
      throw new EOFException(length + " bytes from " + position + " of " + name);
    }
    target.putBytes(targetOffset, content, (int) position, (int) length);
    reads.incrementAndGet();
    bytesRead.addAndGet(length);
  }

  /** Returns the number of reads so far. */
  public long reads() {
    return reads.get();
  }

  /** Returns the bytes read so far. */
  public long bytesRead() {
    return bytesRead.get();
  }

  @Override
  public void close() {}
}
