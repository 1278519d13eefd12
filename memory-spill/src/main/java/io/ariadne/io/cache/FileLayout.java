package io.ariadne.io.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The bytes of a file of the cache, big-endian: a header, a table, and the extents one after the
 * other.
 *
 * <pre>
 * header, 128 bytes
 *    0  magic "ARIRANGE"      8  format version     12  flags: 1 when encrypted
 *   16  digest of the object, 32 bytes              48  salt, 32 bytes
 *   80  tag of the storage's version, 0 if unknown  88  extents
 *   92  bytes of the table as stored                96  bytes of the file    104  zero
 * table
 *   of each extent: position in the remote file (8), length (4)
 *   not encrypted:  CRC32C of each chunk (4), then CRC32C of header and table so far (4)
 *   encrypted:      AES-GCM tag of the table (16), which covers the header too
 * data
 *   each extent in chunks of 64 KiB, the last one shorter; when encrypted, each followed by its tag
 * </pre>
 */
final class FileLayout {
  /** Bytes that one checksum or tag covers, at most. */
  static final int CHUNK_BYTES = 64 << 10;

  /** Bytes of the header. */
  static final int HEADER_BYTES = 128;

  /** Most extents of a file. */
  static final int MAX_EXTENTS = 4096;

  private static final long MAGIC = 0x41524952414E4745L;
  private static final int VERSION = 1;
  private static final int ENCRYPTED = 1;
  private static final int DIGEST_AT = 16;
  private static final int SALT_AT = 48;
  private static final int TAG_AT = 80;
  private static final int EXTENTS_AT = 88;
  private static final int TABLE_AT = 92;
  private static final int SIZE_AT = 96;
  private static final int EXTENT_BYTES = Long.BYTES + Integer.BYTES;

  /** More than most tables have, so that one read is enough. */
  private static final int FIRST_READ_BYTES = 4096;

  private FileLayout() {}

  /**
   * A range of the remote file.
   *
   * @param position first byte
   * @param length bytes
   */
  record Range(long position, int length) {}

  /** Returns the number of chunks of an extent. */
  static int chunks(int length) {
    return (int) (((long) length + CHUNK_BYTES - 1) / CHUNK_BYTES);
  }

  private static int tableBytes(List<Range> ranges, int chunks, boolean encrypted) {
    int extents = ranges.size() * EXTENT_BYTES;
    return encrypted ? extents + ChunkCipher.TAG_BYTES : extents + (chunks + 1) * Integer.BYTES;
  }

  private static int chunks(List<Range> ranges) {
    int chunks = 0;
    for (Range range : ranges) {
      chunks += chunks(range.length());
    }
    return chunks;
  }

  /** Returns the bytes of a file of ranges. */
  static long sizeInBytes(List<Range> ranges, boolean encrypted) {
    int chunks = chunks(ranges);
    long size = (long) HEADER_BYTES + tableBytes(ranges, chunks, encrypted);
    for (Range range : ranges) {
      size += range.length();
    }
    return encrypted ? size + (long) chunks * ChunkCipher.TAG_BYTES : size;
  }

  /**
   * Returns header and table of a new file.
   *
   * @param key the object
   * @param salt salt of the file
   * @param tag tag of the storage's version, or 0
   * @param ranges the extents
   * @param crcs checksums of the chunks; ignored when encrypted
   * @param cipher encrypts the table, or null
   */
  static ByteBuffer start(
      ObjectKey key, byte[] salt, long tag, List<Range> ranges, int[] crcs, ChunkCipher cipher) {
    boolean encrypted = cipher != null;
    int tableBytes = tableBytes(ranges, chunks(ranges), encrypted);
    ByteBuffer start = ByteBuffer.allocate(HEADER_BYTES + tableBytes);
    start.putLong(MAGIC).putInt(VERSION).putInt(encrypted ? ENCRYPTED : 0);
    start.put(key.digestBytes()).put(salt).putLong(tag).putInt(ranges.size()).putInt(tableBytes);
    start.putLong(sizeInBytes(ranges, encrypted)).position(HEADER_BYTES);
    ByteBuffer table = encrypted ? ByteBuffer.allocate(ranges.size() * EXTENT_BYTES) : start;
    for (Range range : ranges) {
      table.putLong(range.position()).putInt(range.length());
    }
    if (encrypted) {
      cipher.encrypt(ChunkCipher.TABLE, headerOf(start), table.flip(), start);
    } else {
      for (int crc : crcs) {
        start.putInt(crc);
      }
      start.putInt(crc(start.duplicate().flip()));
    }
    return start.flip();
  }

  private static byte[] headerOf(ByteBuffer start) {
    byte[] header = new byte[HEADER_BYTES];
    start.get(0, header);
    return header;
  }

  /** Returns the checksum of all remaining bytes. */
  static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /**
   * Reads header and table.
   *
   * @param path the file, for messages and later reads
   * @param channel the file, open
   * @param key the object that the file should be of
   * @throws CorruptFileException when the file is not one of the cache's, of this object, whole
   */
  static CacheFile read(Path path, FileChannel channel, ObjectKey key, CacheKeys keys)
      throws IOException {
    long size = channel.size();
    ByteBuffer start = ByteBuffer.allocate((int) Math.min(size, FIRST_READ_BYTES));
    fill(path, channel, start, 0);
    start.flip();
    int tableBytes = checkHeader(path, start, size, key, keys);
    int wanted = HEADER_BYTES + tableBytes;
    if (wanted > start.limit()) {
      ByteBuffer whole = ByteBuffer.allocate(wanted).put(start);
      fill(path, channel, whole, start.limit());
      start = whole.flip();
    }
    return parse(path, start.limit(wanted), size, keys);
  }

  private static int checkHeader(
      Path path, ByteBuffer start, long size, ObjectKey key, CacheKeys keys)
      throws CorruptFileException {
    if (size < HEADER_BYTES || start.getLong(0) != MAGIC || start.getInt(8) != VERSION) {
      throw new CorruptFileException(path, "no file of the cache");
    }
    byte[] digest = new byte[CacheKeys.DIGEST_BYTES];
    start.get(DIGEST_AT, digest);
    int extents = start.getInt(EXTENTS_AT);
    int tableBytes = start.getInt(TABLE_AT);
    if (!Arrays.equals(digest, key.digestBytes())
        || start.getInt(12) != (keys.encrypts() ? ENCRYPTED : 0)
        || extents < 1
        || extents > MAX_EXTENTS
        || tableBytes < extents * EXTENT_BYTES
        || tableBytes > size - HEADER_BYTES
        || start.getLong(SIZE_AT) != size) {
      throw new CorruptFileException(path, "the header is not that of the object");
    }
    return tableBytes;
  }

  private static CacheFile parse(Path path, ByteBuffer start, long size, CacheKeys keys)
      throws CorruptFileException {
    byte[] salt = new byte[CacheKeys.SALT_BYTES];
    start.get(SALT_AT, salt);
    ChunkCipher cipher = keys.cipher(salt);
    ByteBuffer table = table(path, start, cipher);
    List<Range> ranges = new ArrayList<>();
    for (int i = start.getInt(EXTENTS_AT); i > 0; i--) {
      Range range = new Range(table.getLong(), table.getInt());
      if (range.position() < 0
          || range.length() < 1
          || range.position() > Long.MAX_VALUE - range.length()) {
        throw new CorruptFileException(path, "an extent is no range");
      }
      ranges.add(range);
    }
    boolean encrypted = cipher != null;
    int crcBytes = encrypted ? 0 : chunks(ranges) * Integer.BYTES;
    if (sizeInBytes(ranges, encrypted) != size || table.remaining() != crcBytes) {
      throw new CorruptFileException(path, "the extents do not have the length of the file");
    }
    int[] crcs = new int[table.remaining() / Integer.BYTES];
    table.asIntBuffer().get(crcs);
    return new CacheFile(path, size, start.getLong(TAG_AT), cipher, crcs, ranges);
  }

  private static ByteBuffer table(Path path, ByteBuffer start, ChunkCipher cipher)
      throws CorruptFileException {
    int extentBytes = start.getInt(EXTENTS_AT) * EXTENT_BYTES;
    if (cipher != null) {
      ByteBuffer plain = ByteBuffer.allocate(extentBytes);
      ByteBuffer stored = start.duplicate().position(HEADER_BYTES);
      if (stored.remaining() != extentBytes + ChunkCipher.TAG_BYTES
          || !cipher.decrypt(ChunkCipher.TABLE, headerOf(start), stored, plain)) {
        throw new CorruptFileException(path, "the table is not authentic");
      }
      return plain.flip();
    }
    int end = start.limit() - Integer.BYTES;
    if (end < HEADER_BYTES + extentBytes
        || crc(start.duplicate().position(0).limit(end)) != start.getInt(end)) {
      throw new CorruptFileException(path, "header and table have another checksum");
    }
    return start.duplicate().position(HEADER_BYTES).limit(end);
  }

  /** Returns where the first chunk of a file is. */
  static long dataAt(List<Range> ranges, boolean encrypted) {
    return (long) HEADER_BYTES + tableBytes(ranges, chunks(ranges), encrypted);
  }

  /** Fills a buffer from a file. */
  static void fill(Path path, FileChannel channel, ByteBuffer target, long position)
      throws IOException {
    long at = position;
    while (target.hasRemaining()) {
      int count = channel.read(target, at);
      if (count < 0) {
        throw new CorruptFileException(path, "cut at byte " + at);
      }
      at += count;
    }
  }
}
