package io.ariadne.shuffle.codec;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * Compression algorithms for bytes in host memory, each at one level. Deterministic, thread-safe.
 *
 * <p>What is compressed carries the codec's number, which is its ordinal: new ones are added at the
 * end.
 */
public enum Codec {
  /** No compression. */
  NONE(null),

  /** LZ4's block format, at its fast level. */
  LZ4(new Lz4()),

  /** One Zstandard frame (RFC 8878), at level 1. */
  ZSTD(new Zstd());

  /** Most bytes that are compressed as one, and that are decompressed. */
  public static final long MAX_BYTES = 64L << 20;

  /** What is not shorter than this part of the original is sent as it is. */
  private static final double WORTH = 0.95;

  private static final Codec[] ALL = values();

  /** Null for {@link #NONE}. */
  private final Algorithm algorithm;

  Codec(Algorithm algorithm) {
    this.algorithm = algorithm;
  }

  /** Works on memory at given addresses. */
  interface Algorithm {
    int maxCompressedBytes(int lengthInBytes);

    /** Returns the number of bytes that are written. */
    int compress(long source, int sourceBytes, long target, int targetBytes);

    /**
     * Decompresses untrusted bytes, within the given ones only.
     *
     * @return the number of bytes that are written
     * @throws IllegalArgumentException when the bytes are not compressed ones
     */
    int decompress(long source, int sourceBytes, long target, int targetBytes);
  }

  /** Returns the number that compressed bytes carry. */
  public byte number() {
    return (byte) ordinal();
  }

  /**
   * Returns the codec of a number that is not trusted.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Codec of(byte number) {
    if (number < 0 || number >= ALL.length) {
      throw new IllegalArgumentException("codec " + number);
    }
    return ALL[number];
  }

  /**
   * Compresses bytes. Not called on {@link #NONE}.
   *
   * @param bytes 1 to {@link #MAX_BYTES} bytes
   * @param allocator host memory for the result, and during the call for about as much as {@code
   *     bytes} has
   * @return owned by the caller; null when the bytes do not become shorter
   */
  public MemoryBuffer compress(MemoryBuffer bytes, BufferAllocator allocator) {
    int length = checked(bytes.lengthInBytes());
    int limit = algorithm.maxCompressedBytes(length);
    try (MemoryBuffer target = allocator.allocate(limit)) {
      int written = algorithm.compress(bytes.address(), length, target.address(), limit);
      if (written > length * WORTH) {
        return null;
      }
      MemoryBuffer compressed = allocator.allocate(written);
      Memory.copy(target.address(), compressed.address(), written);
      return compressed;
    }
  }

  /**
   * Decompresses untrusted bytes. Not called on {@link #NONE}.
   *
   * @param compressed at most {@link #MAX_BYTES} bytes
   * @param lengthInBytes number of bytes before the compression, 1 to {@link #MAX_BYTES}
   * @param allocator host memory for the result
   * @return owned by the caller
   * @throws EngineException CORRUPT_DATA when they are not that many compressed bytes
   */
  public MemoryBuffer decompress(
      MemoryBuffer compressed, long lengthInBytes, BufferAllocator allocator) {
    int source = checked(compressed.lengthInBytes());
    int length = checked(lengthInBytes);
    MemoryBuffer target = allocator.allocate(length);
    try {
      int written = algorithm.decompress(compressed.address(), source, target.address(), length);
      if (written != length) {
        throw new IllegalArgumentException(written + " bytes came out");
      }
      return target;
    } catch (RuntimeException | Error e) {
      target.close();
      if (e instanceof IllegalArgumentException) {
        throw new EngineException(
            ErrorCode.CORRUPT_DATA,
            "%d bytes are not %d bytes compressed by %s: %s"
                .formatted(source, length, this, e.getMessage()),
            e);
      }
      throw e;
    }
  }

  private static int checked(long lengthInBytes) {
    if (lengthInBytes < 1 || lengthInBytes > MAX_BYTES) {
      throw new IllegalArgumentException(lengthInBytes + " bytes, not 1 to " + MAX_BYTES);
    }
    return (int) lengthInBytes;
  }
}
