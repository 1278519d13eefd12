package io.ariadne.parquet.codec;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.ariadne.columnar.buffer.Memory;
import java.io.IOException;

/** Decompresses concatenated Zstandard frames (RFC 8878) with zstd-jni and one reused context. */
final class ZstdDecompressor implements Decompressor {
  /** Most bytes that one block yields; it takes at least four bytes of input. */
  private static final int MAX_BLOCK_BYTES = 128 << 10;

  private static final int MIN_BLOCK_BYTES = 4;

  private final ZstdDecompressCtx context = new ZstdDecompressCtx();

  @Override
  public void decompress(long source, int sourceLength, long target, int targetLength)
      throws IOException {
    int written;
    try {
      written =
          context.decompressDirectByteBuffer(
              Memory.byteBuffer(target, targetLength),
              0,
              targetLength,
              Memory.byteBuffer(source, sourceLength),
              0,
              sourceLength);
    } catch (ZstdException e) {
      throw new IOException("zstd: " + e.getMessage(), e);
    }
    if (written != targetLength) {
      throw new IOException(
          "zstd frames of " + written + " bytes, the page header says " + targetLength);
    }
  }

  @Override
  public long maxDecompressedLength(int sourceLength) {
    return ((long) sourceLength / MIN_BLOCK_BYTES + 1) * MAX_BLOCK_BYTES;
  }

  @Override
  public void close() {
    context.close();
  }
}
