package io.ariadne.shuffle.codec;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.ariadne.columnar.buffer.Memory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Zstandard by zstd-jni. Contexts are kept for further calls: as many as there have been calls at
 * the same time.
 */
final class Zstd implements Codec.Algorithm {
  private static final int LEVEL = 1;

  private final Queue<ZstdCompressCtx> compressors = new ConcurrentLinkedQueue<>();
  private final Queue<ZstdDecompressCtx> decompressors = new ConcurrentLinkedQueue<>();

  private static <T> T take(Queue<T> queue, Supplier<T> create) {
    T taken = queue.poll();
    return taken == null ? create.get() : taken;
  }

  @Override
  public int maxCompressedBytes(int lengthInBytes) {
    return (int) com.github.luben.zstd.Zstd.compressBound(lengthInBytes);
  }

  @Override
  public int compress(long source, int sourceBytes, long target, int targetBytes) {
    ZstdCompressCtx context =
        take(compressors, () -> new ZstdCompressCtx().setLevel(LEVEL).setContentSize(false));
    try {
      return context.compressDirectByteBuffer(
          Memory.byteBuffer(target, targetBytes),
          0,
          targetBytes,
          Memory.byteBuffer(source, sourceBytes),
          0,
          sourceBytes);
    } finally {
      compressors.add(context);
    }
  }

  @Override
  public int decompress(long source, int sourceBytes, long target, int targetBytes) {
    ZstdDecompressCtx context = take(decompressors, ZstdDecompressCtx::new);
    try {
      return context.decompressDirectByteBuffer(
          Memory.byteBuffer(target, targetBytes),
          0,
          targetBytes,
          Memory.byteBuffer(source, sourceBytes),
          0,
          sourceBytes);
    } catch (ZstdException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    } finally {
      decompressors.add(context);
    }
  }
}
