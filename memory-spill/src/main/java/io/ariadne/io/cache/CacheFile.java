package io.ariadne.io.cache;

import io.ariadne.columnar.buffer.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file of the cache whose header has been read. The file is never changed, but it may be deleted
 * or damaged at any time. Thread-safe.
 */
final class CacheFile {
  /** How to open it: a link is not one of the cache's files. */
  static final Set<OpenOption> OPTIONS = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  /** How long a use counts as the latest: fewer changes of the modification time. */
  private static final long TOUCH_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final int CHUNK_BYTES = FileLayout.CHUNK_BYTES;

  /** Chunks that are read at once: bytes are still in the processor's cache when checked. */
  private static final int CHUNKS_AT_ONCE = 4;

  private static final byte[] NOTHING = {};

  private final Path path;
  private final long sizeInBytes;
  private final long tag;
  private final ChunkCipher cipher;
  private final int[] crcs;
  private final List<CachedExtent> extents;
  private final AtomicLong touchedNanos = new AtomicLong(System.nanoTime() - TOUCH_NANOS);

  /**
   * Describes a file.
   *
   * @param tag tag of the storage's version, 0 if unknown
   * @param cipher decrypts it, null when it is not encrypted
   * @param crcs checksums of all chunks, none when it is encrypted
   * @param ranges its extents in order
   */
  CacheFile(
      Path path,
      long sizeInBytes,
      long tag,
      ChunkCipher cipher,
      int[] crcs,
      List<FileLayout.Range> ranges) {
    this.path = path;
    this.sizeInBytes = sizeInBytes;
    this.tag = tag;
    this.cipher = cipher;
    this.crcs = crcs;
    this.extents = extents(ranges);
  }

  private List<CachedExtent> extents(List<FileLayout.Range> ranges) {
    List<CachedExtent> all = new ArrayList<>(ranges.size());
    long at = FileLayout.dataAt(ranges, cipher != null);
    int chunk = 0;
    for (FileLayout.Range range : ranges) {
      all.add(new CachedExtent(this, range.position(), range.length(), at, chunk));
      int chunks = FileLayout.chunks(range.length());
      chunk += chunks;
      at += range.length() + (cipher == null ? 0 : (long) chunks * ChunkCipher.TAG_BYTES);
    }
    return List.copyOf(all);
  }

  /** Returns where it is. */
  Path path() {
    return path;
  }

  /** Returns its size. */
  long sizeInBytes() {
    return sizeInBytes;
  }

  /** Returns the tag of the storage's version, 0 if unknown. */
  long tag() {
    return tag;
  }

  /** Returns its extents. */
  List<CachedExtent> extents() {
    return extents;
  }

  /** Returns whether the use should be recorded, once a minute. */
  boolean needsTouch() {
    long before = touchedNanos.get();
    long now = System.nanoTime();
    return now - before >= TOUCH_NANOS && touchedNanos.compareAndSet(before, now);
  }

  /**
   * Reads a part of an extent.
   *
   * @param extent an extent of this file
   * @param position first byte in the remote file, within the extent
   * @param length bytes, within the extent
   * @param target host address
   * @throws CorruptFileException when the bytes are not those that were written; the target's
   *     contents are then undefined, as after any failure
   */
  void read(CachedExtent extent, long position, int length, long target) throws IOException {
    try (FileChannel channel = FileChannel.open(path, OPTIONS)) {
      int from = (int) (position - extent.position());
      int end = from + length;
      long address = target;
      while (from < end) {
        int done = readSome(channel, extent, from, end, address);
        from += done;
        address += done;
      }
    }
  }

  /** Reads whole chunks, or a part of one; returns the bytes read. */
  private int readSome(FileChannel channel, CachedExtent extent, int from, int end, long address)
      throws IOException {
    int chunk = from / CHUNK_BYTES;
    int start = chunk * CHUNK_BYTES;
    int chunkEnd = Math.min(extent.length(), start + CHUNK_BYTES);
    if (from > start || end < chunkEnd) {
      return readPart(
          channel, extent, chunk, from - start, Math.min(end, chunkEnd) - from, address);
    }
    if (cipher != null) {
      return readEncrypted(channel, extent, chunk, address);
    }
    int most = Math.min(end, start + CHUNKS_AT_ONCE * CHUNK_BYTES);
    int whole = most == extent.length() ? most - start : (most - start) / CHUNK_BYTES * CHUNK_BYTES;
    ByteBuffer bytes = Memory.byteBuffer(address, whole);
    FileLayout.fill(path, channel, bytes, extent.storedAt() + start);
    for (int at = 0; at < whole; at += CHUNK_BYTES) {
      bytes.limit(Math.min(whole, at + CHUNK_BYTES)).position(at);
      check(bytes, extent.firstChunk() + (start + at) / CHUNK_BYTES);
    }
    return whole;
  }

  private int readPart(
      FileChannel channel, CachedExtent extent, int chunk, int skip, int length, long address)
      throws IOException {
    long scratch = Memory.allocate(CHUNK_BYTES);
    try {
      if (cipher == null) {
        int bytes = chunkLength(extent, chunk);
        ByteBuffer whole = Memory.byteBuffer(scratch, bytes);
        FileLayout.fill(path, channel, whole, extent.storedAt() + (long) chunk * CHUNK_BYTES);
        check(whole.flip(), extent.firstChunk() + chunk);
      } else {
        readEncrypted(channel, extent, chunk, scratch);
      }
      Memory.copy(scratch + skip, address, length);
      return length;
    } finally {
      Memory.free(scratch);
    }
  }

  private static int chunkLength(CachedExtent extent, int chunk) {
    return Math.min(CHUNK_BYTES, extent.length() - chunk * CHUNK_BYTES);
  }

  private void check(ByteBuffer bytes, int chunk) throws CorruptFileException {
    if (FileLayout.crc(bytes) != crcs[chunk]) {
      throw new CorruptFileException(path, "chunk " + chunk + " has another checksum");
    }
  }

  private int readEncrypted(FileChannel channel, CachedExtent extent, int chunk, long address)
      throws IOException {
    int length = chunkLength(extent, chunk);
    // Ciphers of the JDK are several times faster on arrays than on memory outside the heap.
    ByteBuffer stored = ByteBuffer.allocate(length + ChunkCipher.TAG_BYTES);
    long at = extent.storedAt() + (long) chunk * (CHUNK_BYTES + ChunkCipher.TAG_BYTES);
    FileLayout.fill(path, channel, stored, at);
    byte[] plain = new byte[length];
    long number = extent.firstChunk() + chunk + 1L;
    if (!cipher.decrypt(number, NOTHING, stored.flip(), ByteBuffer.wrap(plain))) {
      throw new CorruptFileException(path, "chunk " + (number - 1) + " is not authentic");
    }
    Memory.copy(plain, 0, address, length);
    return length;
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
