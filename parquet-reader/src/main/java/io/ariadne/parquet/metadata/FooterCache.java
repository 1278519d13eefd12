package io.ariadne.parquet.metadata;

import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Footers of files read before, the least recently used dropped beyond a bound. Thread-safe.
 *
 * <p>A file is known by name, length and modification time: one that was written anew is another
 * file. A footer holds the columns that were asked for; who asks for more has it read again, with
 * the columns of both. Of several threads that ask for the same file one reads, the others wait for
 * it; a failure reaches the one that read, and the others try themselves.
 */
public final class FooterCache {
  /**
   * A file at one time of its life.
   *
   * @param file name
   * @param lengthInBytes length
   * @param modificationTimeMillis when it was last written
   */
  public record FileKey(String file, long lengthInBytes, long modificationTimeMillis) {
    /** A change this soon after another may leave the time as it was: coarse clocks. */
    private static final long SETTLED_AFTER_MILLIS = 2_000;

    /** Checks for nulls. */
    public FileKey {
      Objects.requireNonNull(file, "file is null");
    }

    /**
     * Returns the key of a file just opened; null when its footer must not be kept: nobody knows
     * when the file was changed, or that was a moment ago.
     *
     * @param file name
     * @param reader the open file
     */
    public static FileKey of(String file, ByteRangeReader reader) {
      long time = reader.modificationTimeMillis();
      boolean isSettled =
          time != ByteRangeReader.UNKNOWN_TIME
              && System.currentTimeMillis() - time >= SETTLED_AFTER_MILLIS;
      return isSettled ? new FileKey(file, reader.lengthInBytes(), time) : null;
    }
  }

  /** Reads a footer that is not here. */
  @FunctionalInterface
  public interface Loader {
    /**
     * Reads the footer.
     *
     * @param selection the columns to keep
     * @throws IOException when reading fails
     */
    FileMetadata load(ColumnSelection selection) throws IOException;
  }

  private final long maxBytes;
  private final Map<FileKey, FileMetadata> footers = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<FileKey> loading = new HashSet<>();
  private long bytes;

  /**
   * Makes an empty cache.
   *
   * @param maxBytes bytes of the Java heap it may hold, about
   */
  public FooterCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Returns a file's footer with at least the chosen columns; has it read if need be.
   *
   * @param key the file
   * @param selection the columns
   * @param loader reads the footer; called by this thread, not under a lock
   * @throws IOException when reading fails
   */
  public FileMetadata get(FileKey key, ColumnSelection selection, Loader loader)
      throws IOException {
    FileMetadata known = begin(key, selection);
    if (known != null && known.selection().covers(selection)) {
      return known;
    }
    FileMetadata read = null;
    try {
      read = loader.load(known == null ? selection : selection.union(known.selection()));
      return read;
    } finally {
      end(key, read);
    }
  }

  /** Returns about how many bytes of the Java heap the footers take. */
  public synchronized long bytes() {
    return bytes;
  }

  /** Returns the number of files whose footers are here. */
  public synchronized int size() {
    return footers.size();
  }

  /**
   * Returns a footer that has the columns; or one that has not, or null, and then the caller is the
   * one to read it.
   */
  private synchronized FileMetadata begin(FileKey key, ColumnSelection selection)
      throws InterruptedIOException {
    while (true) {
      FileMetadata known = footers.get(key);
      if ((known != null && known.selection().covers(selection)) || loading.add(key)) {
        return known;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted =
            new InterruptedIOException("interrupted while another thread read " + key.file());
        interrupted.initCause(e);
        throw interrupted;
      }
    }
  }

  private synchronized void end(FileKey key, FileMetadata read) {
    loading.remove(key);
    notifyAll();
    if (read == null || read.weight() > maxBytes) {
      return;
    }
    FileMetadata previous = footers.put(key, read);
    bytes += read.weight() - (previous == null ? 0 : previous.weight());
    Iterator<FileMetadata> oldest = footers.values().iterator();
    while (bytes > maxBytes) {
      bytes -= oldest.next().weight();
      oldest.remove();
    }
  }
}
