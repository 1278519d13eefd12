package io.ariadne.parquet.codec;

import io.ariadne.columnar.buffer.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Decompresses pages of the deprecated codec LZ4, which hold either blocks in Hadoop's frames or
 * one bare block. The decompressor tries frames first.
 *
 * <p>Hadoop's BlockCompressorStream writes the length of the plain bytes (32 bits, big-endian),
 * then chunks, each a compressed length and an LZ4 block, until that many bytes are complete, and
 * then starts over. Some writers store bare blocks under the same codec (Parquet format,
 * Compression.md; Arrow's Lz4HadoopCodec has the same fallback).
 */
final class Lz4HadoopDecompressor implements Decompressor {
  private final Lz4RawDecompressor raw = new Lz4RawDecompressor();

  @Override
  public void decompress(long source, int sourceLength, long target, int targetLength)
      throws IOException {
    if (!decompressFrames(
        Memory.byteBuffer(source, sourceLength).order(ByteOrder.BIG_ENDIAN),
        Memory.byteBuffer(target, targetLength))) {
      raw.decompress(source, sourceLength, target, targetLength);
    }
  }

  /**
   * Returns whether the input consists of frames that decompress to exactly the target's length.
   */
  private boolean decompressFrames(ByteBuffer in, ByteBuffer out) {
    int written = 0;
    while (in.remaining() >= Integer.BYTES) {
      int frameLength = in.getInt();
      if (frameLength < 0 || frameLength > out.capacity() - written) {
        return false;
      }
      int frameEnd = written + frameLength;
      while (written < frameEnd) {
        int chunk = chunk(in, out, written);
        if (chunk <= 0 || chunk > frameEnd - written) {
          return false;
        }
        written += chunk;
      }
    }
    return !in.hasRemaining() && written == out.capacity();
  }

  /**
   * Decompresses the next chunk and returns the number of bytes written, or -1 when the input is no
   * chunk.
   */
  private int chunk(ByteBuffer in, ByteBuffer out, int written) {
    if (in.remaining() < Integer.BYTES) {
      return -1;
    }
    int compressed = in.getInt();
    if (compressed < 0 || compressed > in.remaining()) {
      return -1;
    }
    try {
      int chunk = raw.decompressBlock(in, in.position(), compressed, out, written);
      in.position(in.position() + compressed);
      return chunk;
    } catch (IOException e) {
      return -1;
    }
  }

  @Override
  public long maxDecompressedLength(int sourceLength) {
    return raw.maxDecompressedLength(sourceLength);
  }
}
