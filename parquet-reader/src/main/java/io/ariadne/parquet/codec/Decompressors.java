package io.ariadne.parquet.codec;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.metadata.CompressionCodec;
import java.util.EnumMap;
import java.util.Map;

/**
 * Owns the decompressors of one scan worker. Each is created when a page first needs it and reused
 * until this object is closed. Not thread-safe.
 */
public final class Decompressors implements AutoCloseable {
  private final Map<CompressionCodec, Decompressor> open = new EnumMap<>(CompressionCodec.class);
  private final Backend backend;
  private final BufferAllocator allocator;

  /** Creates decompressors that use libraries only. */
  public Decompressors() {
    this(null, null);
  }

  /**
   * Creates decompressors that use kernels where those are faster than a library.
   *
   * @param backend the back end; its kernels are used if they see host memory
   * @param allocator host memory
   */
  public Decompressors(Backend backend, BufferAllocator allocator) {
    boolean isHost = backend != null && !backend.isBlockParallel();
    this.backend = isHost ? backend : null;
    this.allocator = allocator;
  }

  /**
   * Returns whether pages of a codec can be read, that is, whether a library for it is available.
   */
  public static boolean isSupported(CompressionCodec codec) {
    return switch (codec) {
      case UNCOMPRESSED, SNAPPY, GZIP, LZ4, ZSTD, LZ4_RAW -> true;
      case BROTLI -> BrotliDecompressor.isAvailable();
      default -> false;
    };
  }

  /**
   * Returns the decompressor of a codec, owned by this object.
   *
   * @param codec any codec but UNCOMPRESSED
   * @throws EngineException UNSUPPORTED when no library for the codec is available
   */
  public Decompressor get(CompressionCodec codec) {
    return open.computeIfAbsent(codec, this::create);
  }

  private Decompressor create(CompressionCodec codec) {
    if (!isSupported(codec)) {
      throw new EngineException(ErrorCode.UNSUPPORTED, "no library for codec " + codec);
    }
    return switch (codec) {
      case SNAPPY ->
          backend == null
              ? new SnappyDecompressor()
              : new SnappyKernelDecompressor(backend, allocator);
      case GZIP -> new GzipDecompressor();
      case LZ4 -> new Lz4HadoopDecompressor();
      case LZ4_RAW -> new Lz4RawDecompressor();
      case ZSTD -> new ZstdDecompressor();
      case BROTLI -> new BrotliDecompressor();
      default -> throw new IllegalArgumentException(codec + " has no decompressor");
    };
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    open.values().forEach(closer::close);
    open.clear();
    closer.rethrow();
  }
}
