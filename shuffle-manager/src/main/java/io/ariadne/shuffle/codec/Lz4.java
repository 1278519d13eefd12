package io.ariadne.shuffle.codec;

import io.ariadne.columnar.buffer.Memory;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4 by lz4-java, whose compressors have no state. */
final class Lz4 implements Codec.Algorithm {
  /** Loads the library when it is first used. */
  private static final class Library {
    static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
    static final LZ4SafeDecompressor DECOMPRESSOR = LZ4Factory.fastestInstance().safeDecompressor();

    private Library() {}
  }

  @Override
  public int maxCompressedBytes(int lengthInBytes) {
    return Library.COMPRESSOR.maxCompressedLength(lengthInBytes);
  }

  @Override
  public int compress(long source, int sourceBytes, long target, int targetBytes) {
    return Library.COMPRESSOR.compress(
        Memory.byteBuffer(source, sourceBytes),
        0,
        sourceBytes,
        Memory.byteBuffer(target, targetBytes),
        0,
        targetBytes);
  }

  @Override
  public int decompress(long source, int sourceBytes, long target, int targetBytes) {
    try {
      return Library.DECOMPRESSOR.decompress(
          Memory.byteBuffer(source, sourceBytes),
          0,
          sourceBytes,
          Memory.byteBuffer(target, targetBytes),
          0,
          targetBytes);
    } catch (LZ4Exception | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
