package io.ariadne.parquet.codec;

import io.ariadne.columnar.buffer.Memory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;

/**
 * Decompresses Brotli streams (RFC 7932) with the pure Java library {@code org.brotli:dec}. Spark
 * does not ship the library, so it is looked up by name and used if it is on the class path.
 */
final class BrotliDecompressor implements Decompressor {
  private static final String STREAM_CLASS = "org.brotli.dec.BrotliInputStream";
  private static final Constructor<? extends InputStream> STREAM = find();

  /** Most bytes that one meta-block yields; it takes at least one byte of input. */
  private static final long MAX_BLOCK_BYTES = 16 << 20;

  private final byte[] chunk = new byte[1 << 16];

  private static Constructor<? extends InputStream> find() {
    try {
      return Class.forName(STREAM_CLASS)
          .asSubclass(InputStream.class)
          .getConstructor(InputStream.class);
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /** Returns whether the library is on the class path. */
  static boolean isAvailable() {
    return STREAM != null;
  }

  @Override
  public void decompress(long source, int sourceLength, long target, int targetLength)
      throws IOException {
    byte[] compressed = new byte[sourceLength];
    Memory.copy(source, compressed, 0, sourceLength);
    try (InputStream in = STREAM.newInstance(new ByteArrayInputStream(compressed))) {
      int written = 0;
      int read = in.read(chunk);
      while (read >= 0) {
        if (read > targetLength - written) {
          throw new IOException("brotli stream exceeds the page of " + targetLength + " bytes");
        }
        Memory.copy(chunk, 0, target + written, read);
        written += read;
        read = in.read(chunk);
      }
      if (written != targetLength) {
        throw new IOException(
            "brotli stream of " + written + " bytes, the page header says " + targetLength);
      }
    } catch (ReflectiveOperationException e) {
      throw new IOException("brotli: " + e.getCause(), e);
    }
  }

  @Override
  public long maxDecompressedLength(int sourceLength) {
    return sourceLength * MAX_BLOCK_BYTES;
  }
}
