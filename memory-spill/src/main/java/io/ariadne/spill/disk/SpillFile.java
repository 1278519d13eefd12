package io.ariadne.spill.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.nio.file.ExtendedOpenOption;
import io.ariadne.memory.PagePool;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/**
 * A file without a name: it is deleted as soon as it is open, so the system frees its bytes however
 * the process ends. Only threads that are never interrupted read and write, because an interrupt
 * closes the channel. Thread-safe.
 */
final class SpillFile implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;

  @GuardedBy("this")
  private final FreeSpace space;

  private SpillFile(Path path, FileChannel channel, long sizeInBytes) {
    this.path = path;
    this.channel = channel;
    this.space = new FreeSpace(sizeInBytes);
  }

  /**
   * Opens a new file.
   *
   * @param path where the file exists for a moment
   * @param sizeInBytes most bytes of the file; none is allocated yet
   * @param direct whether to bypass the page cache, if the file system allows it
   */
  static SpillFile open(Path path, long sizeInBytes, boolean direct) throws IOException {
    FileChannel channel = open(path, direct);
    try {
      Files.delete(path);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    return new SpillFile(path, channel, sizeInBytes);
  }

  private static FileChannel open(Path path, boolean direct) throws IOException {
    Set<OpenOption> options = new HashSet<>();
    options.add(StandardOpenOption.CREATE_NEW);
    options.add(StandardOpenOption.READ);
    options.add(StandardOpenOption.WRITE);
    var permissions =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    if (direct && supportsPages(path)) {
      options.add(ExtendedOpenOption.DIRECT);
      try {
        return FileChannel.open(path, options, permissions);
      } catch (IOException | UnsupportedOperationException e) {
        // The file may have been created before the system refused.
        Files.deleteIfExists(path);
        options.remove(ExtendedOpenOption.DIRECT);
      }
    }
    return FileChannel.open(path, options, permissions);
  }

  /** Returns whether a page is aligned to the file system's blocks, which direct I/O requires. */
  private static boolean supportsPages(Path path) throws IOException {
    return Files.getFileStore(path.getParent()).getBlockSize() <= PagePool.PAGE_ALIGNMENT;
  }

  /** Returns where the file was created, for messages. */
  Path path() {
    return path;
  }

  /** Allocates a range; returns its first byte, or -1 when no free range is that long. */
  synchronized long allocate(long lengthInBytes) {
    return space.allocate(lengthInBytes);
  }

  /** Frees a range; returns whether nothing is left in the file. */
  synchronized boolean free(long offset, long lengthInBytes) {
    space.free(offset, lengthInBytes);
    return space.isAllFree();
  }

  /** Writes all of a buffer. */
  void write(ByteBuffer bytes, long offset) throws IOException {
    long at = offset;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
  }

  /** Fills a buffer from bytes that were written before. */
  void read(ByteBuffer bytes, long offset) throws IOException {
    long at = offset;
    while (bytes.hasRemaining()) {
      int count = channel.read(bytes, at);
      if (count < 0) {
        throw new EOFException("the file ends at byte " + at);
      }
      at += count;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
