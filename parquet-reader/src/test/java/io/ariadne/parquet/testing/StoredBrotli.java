package io.ariadne.parquet.testing;

import java.io.ByteArrayOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Writes Brotli streams of uncompressed meta-blocks (RFC 7932, section 9.2), because no pure Java
 * library compresses.
 */
final class StoredBrotli implements CompressionCodecFactory {
  private static final int MAX_BLOCK = 1 << 16;

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    return new BytesInputCompressor() {
      @Override
      public BytesInput compress(BytesInput bytes) {
        try {
          ByteArrayOutputStream plain = new ByteArrayOutputStream();
          bytes.writeAllTo(plain);
          return BytesInput.from(stored(plain.toByteArray()));
        } catch (java.io.IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      }

      @Override
      public CompressionCodecName getCodecName() {
        return CompressionCodecName.BROTLI;
      }

      @Override
      public void release() {}
    };
  }

  /** Returns a stream: a window of 16 bits, blocks as they are, an empty last block. */
  static byte[] stored(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int bits = 0; // WBITS 16 is a single 0 bit, which precedes the first block's header
    int bitCount = 1;
    for (int from = 0; from < plain.length; from += MAX_BLOCK) {
      int length = Math.min(MAX_BLOCK, plain.length - from);
      // ISLAST 0, MNIBBLES 0 (four), MLEN - 1 in 16 bits, ISUNCOMPRESSED 1: 20 bits
      int header = ((length - 1) << 3) | (1 << 19);
      long all = bits | ((long) header << bitCount);
      int headerBytes = (bitCount + 20 + 7) / 8;
      for (int i = 0; i < headerBytes; i++) {
        out.write((int) (all >>> (8 * i)));
      }
      out.write(plain, from, length);
      bits = 0;
      bitCount = 0;
    }
    out.write(bits | (3 << bitCount)); // ISLAST, ISLASTEMPTY
    return out.toByteArray();
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void release() {}
}
