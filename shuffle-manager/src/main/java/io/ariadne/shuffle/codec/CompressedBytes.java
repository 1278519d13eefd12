package io.ariadne.shuffle.codec;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;

/**
 * Bytes in host memory that a codec may have compressed. Owns them.
 *
 * @param bytes the bytes
 * @param codec what they are compressed by
 * @param lengthInBytes their number before the compression
 */
public record CompressedBytes(MemoryBuffer bytes, Codec codec, long lengthInBytes)
    implements AutoCloseable {
  /** Returns bytes that are not compressed, which the result owns. */
  public static CompressedBytes plain(MemoryBuffer bytes) {
    return new CompressedBytes(bytes, Codec.NONE, bytes.lengthInBytes());
  }

  /** Returns the number of bytes that are in memory. */
  public long compressedBytes() {
    return bytes.lengthInBytes();
  }

  /**
   * Returns the bytes without compression. Closes this, also when it throws.
   *
   * @param allocator host memory for the result, where one is made
   * @return owned by the caller
   * @throws io.ariadne.error.EngineException CORRUPT_DATA when the bytes are damaged
   */
  public MemoryBuffer decompress(BufferAllocator allocator) {
    if (codec == Codec.NONE) {
      return bytes;
    }
    try (bytes) {
      return codec.decompress(bytes, lengthInBytes, allocator);
    }
  }

  @Override
  public void close() {
    bytes.close();
  }
}
