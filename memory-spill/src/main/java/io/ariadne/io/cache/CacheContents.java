package io.ariadne.io.cache;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders and files of one directory, shared with other processes: keeps their bytes below the
 * limit, deletes the files that were not used for the longest time, and what processes that have
 * ended have left. Used by the directory's thread, except where noted.
 *
 * <pre>
 * ledgers/PROCESS              see {@link UsageLedger}
 * writing/PROCESS-NUMBER       files that are not complete
 * objects/D/DIGEST/PROCESS-NUMBER
 * </pre>
 */
final class CacheContents {
  private static final Logger LOG = LoggerFactory.getLogger(CacheContents.class);

  /** Eviction frees this part of the limit beyond what is needed: scans are rare. */
  private static final int EVICTED_PART = 16;

  private static final int PREFIX_LENGTH = 2;

  private final Path root;
  private final Path ledgers;
  private final Path writing;
  private final Path objects;
  private final String process;
  private final long limitInBytes;
  private final long minFreeBytes;
  private final RangeCacheCounters counters;
  private final UsageLedger ledger;
  private boolean isRefusalLogged;

  /**
   * A file in the cache.
   *
   * @param path the file
   * @param size its bytes
   * @param used when it was last used, in milliseconds since 1970
   */
  private record Found(Path path, long size, long used) {}

  CacheContents(
      Path root, String process, long limitInBytes, long minFreeBytes, RangeCacheCounters counts) {
    this.root = root;
    this.ledgers = root.resolve("ledgers");
    this.writing = root.resolve("writing");
    this.objects = root.resolve("objects");
    this.process = process;
    this.limitInBytes = limitInBytes;
    this.minFreeBytes = minFreeBytes;
    this.counters = counts;
    this.ledger = new UsageLedger(ledgers, process);
  }

  /** Creates the folders that do not exist; checks those that do. */
  void createFolders() throws IOException {
    CacheFolders.create(root);
    CacheFolders.create(ledgers);
    CacheFolders.create(writing);
    CacheFolders.create(objects);
  }

  /** Returns where an object's files are. Any thread may call this. */
  Path folderOf(ObjectKey key) {
    return objects.resolve(key.digest().substring(0, PREFIX_LENGTH)).resolve(key.digest());
  }

  /** Creates the folder of an object. */
  void createFolderOf(ObjectKey key) throws IOException {
    Path folder = folderOf(key);
    CacheFolders.create(folder.getParent());
    CacheFolders.create(folder);
  }

  /** Returns a file that is not complete yet. */
  Path temporary(String name) {
    return writing.resolve(name);
  }

  /** Notes that this process is alive; deletes what ended processes have left. */
  void beat() throws IOException {
    createFolders();
    ledger.beat();
    Set<String> alive = ledger.deleteDead();
    CacheFolders.forEach(
        writing,
        file -> {
          String name = file.getFileName().toString();
          boolean isOurs = alive.stream().anyMatch(owner -> name.startsWith(owner + "-"));
          if (!isOurs && UsageLedger.isOld(file)) {
            Files.deleteIfExists(file);
          }
        });
  }

  /**
   * Finds space for a new file: evicts others if needed.
   *
   * @return whether there is space, which {@link #end} ends the use of
   */
  boolean begin(long bytes) throws IOException {
    if (bytes > limitInBytes) {
      return false;
    }
    if (!Files.isDirectory(writing, LinkOption.NOFOLLOW_LINKS)) {
      // The last process before this one has deleted the directory at its end.
      createFolders();
    }
    boolean isGranted = false;
    ledger.begin(bytes);
    try {
      if (excess(bytes) > 0) {
        evict(bytes);
      }
      isGranted = excess(bytes) <= 0;
    } finally {
      if (!isGranted) {
        ledger.abandon(bytes);
      }
    }
    if (!isGranted && !isRefusalLogged) {
      isRefusalLogged = true;
      LOG.info(
          "the range cache has no space for {} bytes in {}: its limit is {} bytes, the disk has {}"
              + " free, of which {} stay free; such writes are dropped and counted",
          bytes,
          root,
          limitInBytes,
          Files.getFileStore(root).getUsableSpace(),
          minFreeBytes);
    }
    return isGranted;
  }

  /** Notes that a file has been published, or will not be. */
  void end(long bytes, boolean isPublished) throws IOException {
    if (isPublished) {
      ledger.publish(bytes);
    } else {
      ledger.abandon(bytes);
    }
  }

  /** Returns bytes to delete before a file fits, 0 or less for none. */
  private long excess(long bytes) throws IOException {
    long missing = minFreeBytes + bytes - Files.getFileStore(root).getUsableSpace();
    long used = ledger.usedBytes();
    while (ledger.needsScan()) {
      scan();
      used = ledger.usedBytes();
    }
    return Math.max(used - limitInBytes, missing);
  }

  private List<Found> scan() throws IOException {
    List<Found> all = new ArrayList<>();
    ledger.scan(
        () -> {
          CacheFolders.forEach(objects, prefix -> scan(prefix, all));
          return all.stream().mapToLong(Found::size).sum();
        });
    return all;
  }

  private static void scan(Path path, List<Found> all) throws IOException {
    BasicFileAttributes found;
    try {
      found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return;
    }
    if (found.isDirectory()) {
      CacheFolders.forEach(path, entry -> scan(entry, all));
    } else {
      all.add(new Found(path, found.size(), found.lastModifiedTime().toMillis()));
    }
  }

  /** Deletes the files that were not used for the longest time. */
  private void evict(long bytes) throws IOException {
    List<Found> all = scan();
    all.sort(Comparator.comparingLong(Found::used));
    long excess = excess(bytes);
    long wanted = excess <= 0 ? 0 : excess + limitInBytes / EVICTED_PART;
    long freed = 0;
    for (Found file : all) {
      if (freed >= wanted) {
        break;
      }
      if (delete(file.path())) {
        counters.evictions().increment();
      }
      // Also when another process has just deleted it, which evicts at the same time.
      freed += file.size();
    }
  }

  /**
   * Deletes a file, and its folder when that is empty; returns false when there is no such file.
   */
  boolean delete(Path file) throws IOException {
    boolean isDone = false;
    try {
      long size =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).size();
      ledger.beginRemoval(size);
      try {
        Files.delete(file);
        isDone = true;
      } finally {
        ledger.endRemoval(size, isDone);
      }
    } catch (NoSuchFileException e) {
      return false;
    }
    try {
      Files.delete(file.getParent());
    } catch (NoSuchFileException | DirectoryNotEmptyException e) {
      // Another process was faster, or there are other files.
    }
    return true;
  }

  /**
   * Notes that this process has ended.
   *
   * @param deletes whether to delete the directory when no other process uses it
   */
  void end(boolean deletes) throws IOException {
    CacheFolders.forEach(
        writing,
        file -> {
          if (file.getFileName().toString().startsWith(process)) {
            Files.deleteIfExists(file);
          }
        });
    if (ledger.end() && deletes) {
      CacheFolders.deleteTree(root);
    }
  }
}
