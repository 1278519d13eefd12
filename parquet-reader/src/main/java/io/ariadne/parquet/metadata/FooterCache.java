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
 * Caches footers, with the page indexes that have been read since, and evicts the least recently
 * used ones when it exceeds its size limit. Thread-safe.
 *
 * <p>A file is identified by name, length and modification time, so a rewritten file is another
 * file. A footer holds the columns that it was read for. A request for more columns reads the
 * footer again, with the columns of both requests. When several threads request the same file, one
 * reads it and the others wait. If reading fails, that thread gets the exception and the others try
 * again.
 */
public final class FooterCache {
  /**
   * Identifies one version of a file.
   *
   * @param file name
   * @param lengthInBytes length
   * @param modificationTimeMillis when the file was last written
   */
  public record FileKey(String file, long lengthInBytes, long modificationTimeMillis) {
    /**
     * Age from which a modification time is trusted. Clocks are coarse, so a second change soon
     * after the first may leave the time as it was.
     */
    private static final long SETTLED_AFTER_MILLIS = 2_000;

    /** Checks for nulls. */
    public FileKey {
      Objects.requireNonNull(file, "file is null");
    }

    /**
     * Returns the key of a file just opened, or null when its footer must not be cached because the
     * modification time is unknown or too recent.
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

  /**
   * A cached footer.
   *
   * @param footer the footer
   * @param weight the bytes that it counts for
   */
  private record Entry(FileMetadata footer, long weight) {}

  /** Reads a footer that is not in the cache. */
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
  private final Map<FileKey, Entry> footers = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<FileKey> loading = new HashSet<>();
  private long bytes;

  /**
   * Creates an empty cache.
   *
   * @param maxBytes approximate limit in bytes of the Java heap
   */
  public FooterCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * Returns a file's footer with at least the selected columns, reading it if necessary.
   *
   * @param key the file
   * @param selection the columns
   * @param loader reads the footer; called on this thread, without holding a lock
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

  /** Returns approximately how many bytes of the Java heap the cached footers take. */
  public synchronized long bytes() {
    return bytes;
  }

  /** Returns the number of cached footers. */
  public synchronized int size() {
    return footers.size();
  }

  /**
   * Returns the cached footer, which may lack some of the columns, or null. If it lacks columns or
   * is null, the caller must read the footer.
   */
  private synchronized FileMetadata begin(FileKey key, ColumnSelection selection)
      throws InterruptedIOException {
    while (true) {
      Entry entry = footers.get(key);
      FileMetadata known = entry == null ? null : entry.footer();
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
    if (read != null) {
      put(key, read);
    }
  }

  /**
   * Counts page indexes that have been read since the footer was cached.
   *
   * @param key the file
   * @param footer its footer, which may have left the cache
   */
  public synchronized void recount(FileKey key, FileMetadata footer) {
    Entry entry = footers.get(key);
    if (entry != null && entry.footer() == footer && entry.weight() != footer.weight()) {
      put(key, footer);
    }
  }

  /** Removes a footer, because the file has turned out to be another one or damaged. */
  public synchronized void forget(FileKey key) {
    Entry entry = footers.remove(key);
    bytes -= entry == null ? 0 : entry.weight();
  }

  private synchronized void put(FileKey key, FileMetadata footer) {
    Entry previous = footers.remove(key);
    bytes -= previous == null ? 0 : previous.weight();
    long weight = footer.weight();
    if (weight > maxBytes) {
      return;
    }
    footers.put(key, new Entry(footer, weight));
    bytes += weight;
    Iterator<Entry> oldest = footers.values().iterator();
    while (bytes > maxBytes) {
      bytes -= oldest.next().weight();
      oldest.remove();
    }
  }
}
