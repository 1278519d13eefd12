package io.ariadne.shuffle.codec;

import io.ariadne.columnar.buffer.MemoryBuffer;

/** One compression algorithm at one level. Stateless, thread-safe, deterministic. */
public interface Codec {
  /** Returns the number blocks carry; never given to another algorithm. */
  byte number();

  /** Returns the name for settings and messages, such as {@code zstd-1}. */
  String name();

  /** Returns bytes the compressed form takes at most. */
  long maxCompressedBytes(long lengthInBytes);

  /**
   * Compresses bytes of host memory.
   *
   * @param source bytes, at most 2^31-1
   * @param sourceOffset first byte
   * @param lengthInBytes how many
   * @param target another buffer with {@link #maxCompressedBytes} from the offset
   * @param targetOffset first byte
   * @return bytes written
   */
  long compress(
      MemoryBuffer source,
      long sourceOffset,
      long lengthInBytes,
      MemoryBuffer target,
      long targetOffset);

  /**
   * Decompresses bytes of host memory that need not be what {@link #compress} wrote.
   *
   * @param source compressed bytes
   * @param sourceOffset first byte
   * @param compressedBytes how many
   * @param target another buffer
   * @param targetOffset first byte
   * @param lengthInBytes bytes that must come out, exactly; no byte beyond is written
   * @throws io.ariadne.error.EngineException CORRUPT_DATA when other than so many come out
   */
  void decompress(
      MemoryBuffer source,
      long sourceOffset,
      long compressedBytes,
      MemoryBuffer target,
      long targetOffset,
      long lengthInBytes);
}
