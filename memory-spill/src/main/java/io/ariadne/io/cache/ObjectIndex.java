package io.ariadne.io.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * What this process knows of the cached ranges of one object: the files of its folder, which other
 * processes add to and delete from. Its lock is held for look-ups in memory only. Thread-safe.
 */
final class ObjectIndex {
  private static final FileTime NEVER = FileTime.fromMillis(0);

  /** More than the resolution of modification times of local file systems. */
  private static final long CLOCK_MILLIS = 20;

  private final ObjectKey key;
  private final Path folder;
  private final CacheDirectory directory;
  private final CacheKeys keys;
  private final AtomicBoolean refreshing = new AtomicBoolean();

  @GuardedBy("this")
  private final Map<Path, CacheFile> files = new HashMap<>();

  /** Extents by their first byte, none within another, so that their ends are in the same order. */
  @GuardedBy("this")
  private final NavigableMap<Long, CachedExtent> extents = new TreeMap<>();

  /** Modification time of the folder before it was last listed. */
  private volatile FileTime listed = NEVER;

  /**
   * A part of a range.
   *
   * @param position first byte
   * @param length bytes
   * @param extent where the part is cached, or null when it is missing
   */
  record Part(long position, long length, CachedExtent extent) {}

  ObjectIndex(ObjectKey key, CacheDirectory directory, CacheKeys keys) {
    this.key = key;
    this.folder = directory.folderOf(key);
    this.directory = directory;
    this.keys = keys;
  }

  /** Returns the object. */
  ObjectKey key() {
    return key;
  }

  /** Returns the directory that the object's folder is in. */
  CacheDirectory directory() {
    return directory;
  }

  /**
   * Divides a range into parts that are cached and parts that are missing. Does no I/O.
   *
   * @param tag tag that cached parts must have, 0 for any; files without a tag are not used then
   */
  synchronized List<Part> parts(long position, long length, long tag) {
    List<Part> parts = new ArrayList<>();
    long end = position + length;
    long at = position;
    while (at < end) {
      Map.Entry<Long, CachedExtent> found = extents.floorEntry(at);
      CachedExtent extent = found == null ? null : found.getValue();
      if (extent == null || extent.end() <= at) {
        Long next = extents.higherKey(at);
        long upTo = next == null ? end : Math.min(end, next);
        parts.add(new Part(at, upTo - at, null));
        at = upTo;
      } else {
        long upTo = Math.min(end, extent.end());
        boolean isUsable = tag == 0 || extent.file().tag() == tag;
        parts.add(new Part(at, upTo - at, isUsable ? extent : null));
        at = upTo;
      }
    }
    return parts;
  }

  /** Returns whether a range is cached. */
  boolean has(long position, long length) {
    return parts(position, length, 0).stream().allMatch(part -> part.extent() != null);
  }

  /** Adds a file. */
  synchronized void add(CacheFile file) {
    files.put(file.path(), file);
    file.extents().forEach(this::addExtent);
  }

  @GuardedBy("this")
  private void addExtent(CachedExtent extent) {
    Map.Entry<Long, CachedExtent> before = extents.floorEntry(extent.position());
    if (before != null && before.getValue().end() >= extent.end()) {
      return;
    }
    Map.Entry<Long, CachedExtent> after = extents.ceilingEntry(extent.position());
    while (after != null && after.getValue().end() <= extent.end()) {
      extents.remove(after.getKey());
      after = extents.ceilingEntry(extent.position());
    }
    extents.put(extent.position(), extent);
  }

  /** Forgets a file. Files whose extents it has made superfluous are known again. */
  synchronized void remove(CacheFile file) {
    if (files.remove(file.path(), file)) {
      extents.clear();
      files.values().forEach(each -> each.extents().forEach(this::addExtent));
    }
  }

  /** Returns the files whose tag differs from one, and forgets them. */
  List<CacheFile> removeOthers(long tag) {
    List<CacheFile> others;
    synchronized (this) {
      others = files.values().stream().filter(file -> file.tag() != tag).toList();
    }
    others.forEach(this::remove);
    return others;
  }

  /**
   * Reads the headers of files that have been added to the folder since the last call, if any, and
   * forgets those that have been deleted. Returns at once while another thread does the same.
   *
   * @param corrupt takes files that are damaged
   * @throws IOException when the folder cannot be read
   */
  void refresh(Consumer<Path> corrupt) throws IOException {
    if (!refreshing.compareAndSet(false, true)) {
      return;
    }
    try {
      FileTime changed = timeOfFolder();
      if (!changed.equals(listed)) {
        // A clock that is not finer than this does not tell a later change from this one.
        long age = System.currentTimeMillis() - changed.toMillis();
        list(corrupt);
        listed = age > CLOCK_MILLIS ? changed : NEVER;
      }
    } finally {
      refreshing.set(false);
    }
  }

  private FileTime timeOfFolder() throws IOException {
    try {
      return Files.readAttributes(folder, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .lastModifiedTime();
    } catch (NoSuchFileException e) {
      return NEVER;
    }
  }

  private void list(Consumer<Path> corrupt) throws IOException {
    Set<Path> known;
    synchronized (this) {
      known = new HashSet<>(files.keySet());
    }
    try (DirectoryStream<Path> present = Files.newDirectoryStream(folder)) {
      for (Path path : present) {
        if (!known.remove(path)) {
          open(path, corrupt);
        }
      }
    } catch (NoSuchFileException e) {
      // The folder has just been deleted, with all files.
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    for (Path gone : known) {
      CacheFile file;
      synchronized (this) {
        file = files.get(gone);
      }
      if (file != null) {
        remove(file);
      }
    }
  }

  private void open(Path path, Consumer<Path> corrupt) throws IOException {
    try (FileChannel channel = FileChannel.open(path, CacheFile.OPTIONS)) {
      add(FileLayout.read(path, channel, key, keys));
    } catch (NoSuchFileException e) {
      // Evicted since it was listed.
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (FileSystemException e) {
      // It cannot be opened: a link, or the process has too many open files.
      if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        corrupt.accept(path);
      }
    } catch (IOException e) {
      corrupt.accept(path);
    }
  }
}
