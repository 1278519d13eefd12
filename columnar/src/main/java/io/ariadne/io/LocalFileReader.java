package io.ariadne.io;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * Reads a file of the local file system by positional reads straight into a buffer's memory.
 *
 * <p>Interrupting a thread that reads closes the file for all of its readers ({@link
 * java.nio.channels.InterruptibleChannel}): interrupt only to give up the file.
 */
public final class LocalFileReader implements ByteRangeReader {
  /** The operating system reads at most 2^31 - 1 bytes at once. */
  private static final int MAX_TRANSFER_BYTES = 1 << 30;

  private final Path file;
  private final FileChannel channel;
  private final long lengthInBytes;
  private final long modificationTimeMillis;

  private LocalFileReader(
      Path file, FileChannel channel, long lengthInBytes, long modificationTimeMillis) {
    this.file = file;
    this.channel = channel;
    this.lengthInBytes = lengthInBytes;
    this.modificationTimeMillis = modificationTimeMillis;
  }

  /**
   * Opens a file.
   *
   * @param file path of the file
   * @throws IOException when it does not exist or cannot be read; the message names the file
   */
  public static LocalFileReader open(Path file) throws IOException {
    BasicFileAttributes before = Files.readAttributes(file, BasicFileAttributes.class);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      long length = channel.size();
      BasicFileAttributes after = Files.readAttributes(file, BasicFileAttributes.class);
      boolean isSame = isSame(before, after) && after.size() == length;
      return new LocalFileReader(
          file, channel, length, isSame ? after.lastModifiedTime().toMillis() : UNKNOWN_TIME);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Returns whether a name meant the same file all the time: Java has attributes of names only. */
  private static boolean isSame(BasicFileAttributes before, BasicFileAttributes after) {
    return Objects.equals(before.fileKey(), after.fileKey())
        && before.lastModifiedTime().equals(after.lastModifiedTime())
        && before.size() == after.size();
  }

  @Override
  public long lengthInBytes() {
    return lengthInBytes;
  }

  @Override
  public long modificationTimeMillis() {
    return modificationTimeMillis;
  }

  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    if (position < 0 || length < 0 || position > lengthInBytes - length) {
      throw new EOFException(
          length + " bytes from " + position + " of a file of " + lengthInBytes + ": " + file);
    }
    if (target.tier() != MemoryTier.HOST && target.tier() != MemoryTier.PINNED) {
      throw new IllegalArgumentException("cannot read into a buffer of tier " + target.tier());
    }
    Objects.checkFromIndexSize(targetOffset, length, target.capacityInBytes());
    if (length == 0) {
      return;
    }
    long address = target.address() + targetOffset;
    for (long done = 0; done < length; ) {
      int bytes = (int) Math.min(MAX_TRANSFER_BYTES, length - done);
      ByteBuffer part = Memory.byteBuffer(address + done, bytes);
      int read = channel.read(part, position + done);
      if (read < 0) {
        throw new EOFException("ends at byte " + (position + done) + ", has been cut: " + file);
      }
      done += read;
    }
  }

  /** Returns false: the page cache of the operating system reads ahead. */
  @Override
  public boolean waits(long position, long length) {
    return false;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
