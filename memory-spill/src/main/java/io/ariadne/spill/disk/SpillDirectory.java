package io.ariadne.spill.disk;

import io.ariadne.columnar.buffer.Closer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One local directory: nameless files in which ranges are allocated. A directory that refused bytes
 * is left alone for a while. Thread-safe.
 */
final class SpillDirectory implements AutoCloseable {
  /** Bytes of a file, unless one range is longer. */
  static final long FILE_BYTES = 1L << 30;

  /** How long a directory that failed is asked last. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Path path;
  private final boolean direct;
  private final List<SpillFile> files = new ArrayList<>();
  private long nextNumber;
  private boolean closed;
  private volatile long restsUntil = System.nanoTime();

  /**
   * A range of a file.
   *
   * @param directory where it is
   * @param file the file
   * @param offset first byte
   * @param lengthInBytes bytes
   */
  record Extent(SpillDirectory directory, SpillFile file, long offset, long lengthInBytes) {
    /** Gives all bytes back. */
    void free() {
      directory.free(file, offset, lengthInBytes);
    }

    /** Gives the bytes behind the first {@code keptBytes} back; returns what is left. */
    Extent shrinkTo(long keptBytes) {
      directory.free(file, offset + keptBytes, lengthInBytes - keptBytes);
      return new Extent(directory, file, offset, keptBytes);
    }
  }

  /** Makes the directory if it is not there. */
  SpillDirectory(Path path, boolean direct) throws IOException {
    this.path = Files.createDirectories(path);
    this.direct = direct;
  }

  /** Returns where it is. */
  Path path() {
    return path;
  }

  /** Returns whether it has failed a short while ago. */
  boolean rests() {
    return System.nanoTime() - restsUntil < 0;
  }

  /** Notes a failure. */
  void rest() {
    restsUntil = System.nanoTime() + REST_NANOS;
  }

  /** Describes the room on the file system, for messages. */
  String room() {
    try {
      var store = Files.getFileStore(path);
      return store.getUsableSpace() + " of " + store.getTotalSpace() + " bytes are free there";
    } catch (IOException e) {
      return "its free space is unknown: " + e.getMessage();
    }
  }

  /** Returns a range of that length; makes a file when no other has room. */
  synchronized Extent allocate(long lengthInBytes) throws IOException {
    if (closed) {
      throw new IllegalStateException("spill directory " + path + " is closed");
    }
    for (SpillFile file : files) {
      long offset = file.allocate(lengthInBytes);
      if (offset >= 0) {
        return extent(file, offset, lengthInBytes);
      }
    }
    Path name = path.resolve("ariadne-spill-" + ProcessHandle.current().pid() + "-" + hash());
    SpillFile file = SpillFile.open(name, Math.max(FILE_BYTES, lengthInBytes), direct);
    files.add(file);
    return extent(file, file.allocate(lengthInBytes), lengthInBytes);
  }

  private String hash() {
    return Integer.toHexString(System.identityHashCode(this)) + "-" + nextNumber++;
  }

  private Extent extent(SpillFile file, long offset, long lengthInBytes) {
    return new Extent(this, file, offset, lengthInBytes);
  }

  private void free(SpillFile file, long offset, long lengthInBytes) {
    boolean unused;
    synchronized (this) {
      if (closed) {
        return;
      }
      unused = file.free(offset, lengthInBytes) && files.remove(file);
    }
    if (unused) {
      close(file);
    }
  }

  private static void close(SpillFile file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close spill file " + file.path(), e);
    }
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    Closer closer = new Closer();
    files.forEach(closer::close);
    files.clear();
    closer.rethrow();
  }
}
