package io.ariadne.parquet.codec;

import io.ariadne.columnar.buffer.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses concatenated gzip members (RFC 1952) with the JDK's zlib and one reused inflater.
 *
 * <p>Reads the member headers itself, so that no bytes are copied, and checks checksum and length
 * of each member.
 */
final class GzipDecompressor implements Decompressor {
  /** Largest ratio of output to input: a deflate match of 258 bytes takes at least two bits. */
  private static final int MAX_RATIO = 1032;

  private static final int MAGIC = 0x8b1f;
  private static final int DEFLATE = 8;
  private static final int FIXED_HEADER_BYTES = 10;
  private static final int TRAILER_BYTES = 8;
  private static final int FLAG_HEADER_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int RESERVED_FLAGS = 0xe0;
  private static final int FLAGS_OFFSET = 3;

  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private final ByteBuffer beyond = ByteBuffer.allocate(1);

  @Override
  public void decompress(long source, int sourceLength, long target, int targetLength)
      throws IOException {
    ByteBuffer in = Memory.byteBuffer(source, sourceLength).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer out = Memory.byteBuffer(target, targetLength);
    do {
      member(in, out);
    } while (in.hasRemaining());
    if (out.hasRemaining()) {
      throw new IOException(
          "gzip members of " + out.position() + " bytes, the page header says " + targetLength);
    }
  }

  private void member(ByteBuffer in, ByteBuffer out) throws IOException {
    skipHeader(in);
    int start = out.position();
    inflater.reset();
    inflater.setInput(in);
    try {
      while (!inflater.finished()) {
        // The end marker may follow the last byte. More output memory shows whether more bytes
        // follow.
        boolean isFull = !out.hasRemaining();
        int written = inflater.inflate(isFull ? beyond.clear() : out);
        if (written > 0 && isFull) {
          throw new IOException("gzip members exceed the page");
        }
        if (written == 0 && !inflater.finished()) {
          throw new IOException("gzip member is truncated");
        }
      }
    } catch (DataFormatException e) {
      throw new IOException("gzip: " + e.getMessage(), e);
    }
    checkTrailer(in, out, start);
  }

  private void checkTrailer(ByteBuffer in, ByteBuffer out, int start) throws IOException {
    if (in.remaining() < TRAILER_BYTES) {
      throw new IOException("gzip member without its checksum");
    }
    checksum.reset();
    checksum.update(out.duplicate().position(start).limit(out.position()));
    if (in.getInt() != (int) checksum.getValue() || in.getInt() != out.position() - start) {
      throw new IOException("gzip member has a wrong checksum or length");
    }
  }

  private static void skipHeader(ByteBuffer in) throws IOException {
    if (in.remaining() < FIXED_HEADER_BYTES
        || in.getShort(in.position()) != (short) MAGIC
        || in.get(in.position() + 2) != DEFLATE) {
      throw new IOException("no gzip member at byte " + in.position());
    }
    int flags = in.get(in.position() + FLAGS_OFFSET);
    in.position(in.position() + FIXED_HEADER_BYTES);
    if ((flags & RESERVED_FLAGS) != 0) {
      throw new IOException("gzip header has reserved flags");
    }
    if ((flags & FLAG_EXTRA) != 0) {
      skip(in, Short.BYTES);
      skip(in, Short.toUnsignedInt(in.getShort(in.position() - Short.BYTES)));
    }
    skipText(in, (flags & FLAG_NAME) != 0);
    skipText(in, (flags & FLAG_COMMENT) != 0);
    skip(in, (flags & FLAG_HEADER_CRC) != 0 ? Short.BYTES : 0);
  }

  private static void skip(ByteBuffer in, int bytes) throws IOException {
    if (bytes > in.remaining()) {
      throw new IOException("gzip header is truncated");
    }
    in.position(in.position() + bytes);
  }

  private static void skipText(ByteBuffer in, boolean isThere) throws IOException {
    boolean goesOn = isThere;
    while (goesOn) {
      skip(in, 1);
      goesOn = in.get(in.position() - 1) != 0;
    }
  }

  @Override
  public long maxDecompressedLength(int sourceLength) {
    return (long) sourceLength * MAX_RATIO;
  }

  @Override
  public void close() {
    inflater.end();
  }
}
