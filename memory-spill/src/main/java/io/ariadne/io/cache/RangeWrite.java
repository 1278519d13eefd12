package io.ariadne.io.cache;

import io.ariadne.columnar.buffer.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ranges of one object that are to be written to one file. Their bytes are in staging memory, which
 * {@link #close} gives back. Used by one thread at a time.
 */
final class RangeWrite implements AutoCloseable {
  private static final byte[] NOTHING = {};

  private final ObjectIndex index;
  private final long tag;
  private final List<Source> sources;
  private final Staging staging;
  private final long lentAddress;
  private final long lentBytes;

  /**
   * A range, and where its bytes are.
   *
   * @param range the range
   * @param address host address
   */
  record Source(FileLayout.Range range, long address) {}

  private RangeWrite(
      ObjectIndex index, long tag, List<Source> sources, Staging staging, long lent, long bytes) {
    this.index = index;
    this.tag = tag;
    this.sources = sources;
    this.staging = staging;
    this.lentAddress = lent;
    this.lentBytes = bytes;
  }

  /**
   * Copies the bytes of ranges.
   *
   * @param tag tag of the storage's version, or 0
   * @param sources the ranges, and where the bytes are now
   * @return a write owned by the caller, or null when there is no memory left
   */
  static RangeWrite copy(ObjectIndex index, long tag, List<Source> sources, Staging staging) {
    long bytes = sources.stream().mapToLong(source -> source.range().length()).sum();
    long lent = staging.lend(bytes);
    if (lent == 0) {
      return null;
    }
    List<Source> copies = new ArrayList<>(sources.size());
    long at = lent;
    for (Source source : sources) {
      Memory.copy(source.address(), at, source.range().length());
      copies.add(new Source(source.range(), at));
      at += source.range().length();
    }
    return new RangeWrite(index, tag, copies, staging, lent, bytes);
  }

  /** Returns the object. */
  ObjectIndex index() {
    return index;
  }

  /** Returns the ranges that have not been cached since by someone else. */
  List<Source> wanted() {
    return sources.stream()
        .filter(source -> !index.has(source.range().position(), source.range().length()))
        .toList();
  }

  /**
   * Writes a new file.
   *
   * @param channel the file
   * @param path where the file will be
   * @param wanted the ranges to write
   * @return what the file has
   */
  CacheFile write(FileChannel channel, Path path, List<Source> wanted, CacheKeys keys)
      throws IOException {
    List<FileLayout.Range> ranges = wanted.stream().map(Source::range).toList();
    byte[] salt = keys.encrypts() ? keys.newSalt() : new byte[CacheKeys.SALT_BYTES];
    ChunkCipher cipher = keys.cipher(salt);
    int[] crcs = cipher == null ? crcs(wanted) : new int[0];
    long at = put(channel, FileLayout.start(index.key(), salt, tag, ranges, crcs, cipher), 0);
    int number = 0;
    for (Source source : wanted) {
      if (cipher == null) {
        at = put(channel, Memory.byteBuffer(source.address(), source.range().length()), at);
      } else {
        at = putEncrypted(channel, source, cipher, number, at);
        number += FileLayout.chunks(source.range().length());
      }
    }
    return new CacheFile(path, at, tag, cipher, crcs, ranges);
  }

  private static int[] crcs(List<Source> wanted) {
    return wanted.stream()
        .flatMapToInt(
            source ->
                java.util.stream.IntStream.range(0, FileLayout.chunks(source.range().length()))
                    .map(chunk -> FileLayout.crc(chunk(source, chunk))))
        .toArray();
  }

  private static ByteBuffer chunk(Source source, int chunk) {
    int from = chunk * FileLayout.CHUNK_BYTES;
    int length = Math.min(FileLayout.CHUNK_BYTES, source.range().length() - from);
    return Memory.byteBuffer(source.address() + from, length);
  }

  private static long putEncrypted(
      FileChannel channel, Source source, ChunkCipher cipher, int firstNumber, long position)
      throws IOException {
    long at = position;
    ByteBuffer stored = ByteBuffer.allocate(FileLayout.CHUNK_BYTES + ChunkCipher.TAG_BYTES);
    for (int chunk = 0; chunk < FileLayout.chunks(source.range().length()); chunk++) {
      ByteBuffer bytes = chunk(source, chunk);
      byte[] plain = new byte[bytes.remaining()];
      bytes.get(plain);
      stored.clear();
      cipher.encrypt(firstNumber + chunk + 1L, NOTHING, ByteBuffer.wrap(plain), stored);
      at = put(channel, stored.flip(), at);
    }
    return at;
  }

  private static long put(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
    long at = position;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
    return at;
  }

  /** Gives the staging memory back. */
  @Override
  public void close() {
    staging.giveBack(lentAddress, lentBytes);
  }
}
