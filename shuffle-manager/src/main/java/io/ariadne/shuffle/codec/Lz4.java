package io.ariadne.shuffle.codec;

import io.ariadne.columnar.buffer.Memory;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4 by lz4-java, whose compressors have no state. */
final class Lz4 implements Codec.Algorithm {
  private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
  private final LZ4SafeDecompressor decompressor = LZ4Factory.fastestInstance().safeDecompressor();

  @Override
  public int maxCompressedBytes(int lengthInBytes) {
    return compressor.maxCompressedLength(lengthInBytes);
  }

  @Override
  public int compress(long source, int sourceBytes, long target, int targetBytes) {
    return compressor.compress(
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
      return decompressor.decompress(
          Memory.byteBuffer(source, sourceBytes),
          0,
          sourceBytes,
          Memory.byteBuffer(target, targetBytes),
          0,
          targetBytes);
    } catch (LZ4Exception e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
