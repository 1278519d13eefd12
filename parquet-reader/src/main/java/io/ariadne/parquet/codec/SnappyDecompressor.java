package io.ariadne.parquet.codec;

import java.io.IOException;
import org.xerial.snappy.Snappy;

/** Decompresses raw Snappy blocks (google/snappy, format_description.txt) with snappy-java. */
final class SnappyDecompressor implements Decompressor {
  /**
   * Bytes that the longest copy yields. It takes three bytes of input, which bounds the growth of
   * any input.
   */
  private static final int COPY_LENGTH = 64;

  private static final int COPY_BYTES = 3;

  @Override
  public void decompress(long source, int sourceLength, long target, int targetLength)
      throws IOException {
    long declared = Snappy.uncompressedLength(source, sourceLength);
    if (declared != targetLength) {
      throw new IOException(
          "snappy block of " + declared + " bytes, the page header says " + targetLength);
    }
    long written = Snappy.rawUncompress(source, sourceLength, target);
    if (written != targetLength) {
      throw new IOException("snappy block ends after " + written + " of " + targetLength);
    }
  }

  @Override
  public long maxDecompressedLength(int sourceLength) {
    return maxLength(sourceLength);
  }

  /** Returns the largest number of bytes that a block of this length can decompress to. */
  static long maxLength(int sourceLength) {
    return ((long) sourceLength * COPY_LENGTH) / COPY_BYTES + COPY_LENGTH;
  }
}
