package io.ariadne.parquet.codec;

import io.ariadne.columnar.buffer.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** Decompresses one LZ4 block without a frame (codec LZ4_RAW) with lz4-java. */
final class Lz4RawDecompressor implements Decompressor {
  /**
   * Largest ratio of output to input: each further byte of a match length adds at most 255 bytes.
   */
  private static final int MAX_RATIO = 255;

  private final LZ4SafeDecompressor block = factory().safeDecompressor();

  /**
   * Returns the native library or, without it, the safe Java implementation. The unsafe one trusts
   * its input.
   */
  private static LZ4Factory factory() {
    try {
      return LZ4Factory.nativeInstance();
    } catch (RuntimeException | LinkageError e) {
      return LZ4Factory.safeInstance();
    }
  }

  @Override
  public void decompress(long source, int sourceLength, long target, int targetLength)
      throws IOException {
    ByteBuffer in = Memory.byteBuffer(source, sourceLength);
    int written = decompressBlock(in, 0, sourceLength, Memory.byteBuffer(target, targetLength), 0);
    if (written != targetLength) {
      throw new IOException(
          "lz4 block of " + written + " bytes, the page header says " + targetLength);
    }
  }

  /** Decompresses a block into the rest of the target and returns the number of bytes written. */
  int decompressBlock(
      ByteBuffer source, int offset, int length, ByteBuffer target, int targetOffset)
      throws IOException {
    try {
      int room = target.capacity() - targetOffset;
      return block.decompress(source, offset, length, target, targetOffset, room);
    } catch (LZ4Exception e) {
      throw new IOException("lz4: " + e.getMessage(), e);
    }
  }

  @Override
  public long maxDecompressedLength(int sourceLength) {
    return (long) sourceLength * MAX_RATIO + MAX_RATIO;
  }
}
