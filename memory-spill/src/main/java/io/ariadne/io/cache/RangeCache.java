package io.ariadne.io.cache;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaders;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps ranges of remote files on local disks. One per process; the processes of a host share the
 * directories. Never fails a read: what cannot be read from a disk is read from the storage.
 * Thread-safe.
 */
public final class RangeCache implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RangeCache.class);

  /** Objects whose cached ranges are known to the process. */
  private static final int MAX_INDEXES = 4096;

  /** Modification times younger than this may be those of two versions: some have seconds only. */
  private static final long MIN_AGE_MILLIS = 10_000;

  private static final long MAX_FILE_BYTES = 8L << 20;
  private static final int WRITES_STAGED = 4;

  private final List<CacheDirectory> directories = new ArrayList<>();
  private final RangeCacheCounters counters = RangeCacheCounters.create();
  private final CacheKeys keys;
  private final Staging staging;
  private final Map<String, ObjectIndex> indexes =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, ObjectIndex> eldest) {
              return size() > MAX_INDEXES;
            }
          });

  private RangeCache(RangeCacheConfig config, BufferAllocator memory) {
    this.keys = new CacheKeys(config.encryptionKey());
    this.staging = new Staging(memory, config.stagingBytes());
    long limit = config.limitInBytes() / config.directories().size();
    for (Path path : config.directories()) {
      try {
        directories.add(new CacheDirectory(path, limit, config, keys, counters));
      } catch (IOException | UnsupportedOperationException e) {
        LOG.warn("the range cache does not use directory {}: {}", path, e.toString());
      }
    }
  }

  /**
   * Opens a cache. Directories that cannot be used are left out, each with one line in the log.
   *
   * @param config the settings
   * @param memory allocates the staging memory, once
   * @return a cache owned by the caller
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when there is no staging memory
   */
  public static RangeCache open(RangeCacheConfig config, BufferAllocator memory) {
    RangeCache cache = new RangeCache(config, memory);
    LOG.info("ranges of remote files are cached: {}", config);
    return cache;
  }

  /** Puts this cache in front of the reader of each remote file that the process opens later. */
  public void install() {
    ByteRangeReaders.installed().wrapRemote(this::wrap);
  }

  /** Undoes {@link #install}. */
  public static void uninstall() {
    ByteRangeReaders.installed().wrapRemote(null);
  }

  /**
   * Returns a reader of the same file that uses the cache. Reads a local folder; sends no request.
   *
   * @param reader a reader of the file, which the returned one owns
   * @param file address of the file; one of scheme {@code file} is not cached
   */
  public ByteRangeReader wrap(ByteRangeReader reader, URI file) {
    String scheme = file.getScheme();
    if (scheme == null || scheme.toLowerCase(Locale.ROOT).equals("file")) {
      return reader;
    }
    return new CachedReader(reader, file, this);
  }

  /** Returns what the cache has done. */
  public RangeCacheCounters counters() {
    return counters;
  }

  /** Returns the memory for bytes on their way to the disks. */
  Staging staging() {
    return staging;
  }

  /** Returns the keys. */
  CacheKeys keys() {
    return keys;
  }

  /** Returns the most bytes of one write. */
  long maxWriteBytes() {
    return Math.min(MAX_FILE_BYTES, staging.sizeInBytes() / WRITES_STAGED);
  }

  /**
   * Returns the key of the version that a reader reads, or null when it is not known which version
   * that is.
   */
  ObjectKey keyOf(URI file, ByteRangeReader reader) {
    String version = reader.version();
    long time = reader.modificationTimeMillis();
    boolean isTimeKnown =
        time != ByteRangeReader.UNKNOWN_TIME && System.currentTimeMillis() - time > MIN_AGE_MILLIS;
    boolean isVersionKnown = !version.isEmpty();
    if (!isVersionKnown && !isTimeKnown) {
      return null;
    }
    String digest =
        keys.digest(
            file.toString(),
            isVersionKnown ? "version" : "time",
            isVersionKnown ? version : Long.toString(time),
            Long.toString(reader.lengthInBytes()));
    return new ObjectKey(digest, !isVersionKnown);
  }

  /**
   * Returns what is cached of an object, or null when no directory is usable.
   *
   * @param isRead whether to look for new files now rather than soon
   */
  ObjectIndex indexOf(ObjectKey key, boolean isRead) {
    CacheDirectory directory = directoryOf(key);
    if (directory == null) {
      return null;
    }
    ObjectIndex index =
        indexes.compute(
            key.digest(),
            (digest, known) ->
                known != null && known.directory() == directory
                    ? known
                    : new ObjectIndex(key, directory, keys));
    if (isRead) {
      try {
        index.refresh(directory::discard);
      } catch (ClosedByInterruptException e) {
        LOG.debug("interrupted while it listed cached ranges", e);
      } catch (IOException e) {
        directory.readFailed(e);
      }
    } else {
      directory.refresh(index);
    }
    return index;
  }

  /**
   * Returns the directory of an object: that with the greatest hash of object and directory
   * (rendezvous hashing), so that all processes choose the same and a directory that is left out
   * moves no other objects.
   */
  private CacheDirectory directoryOf(ObjectKey key) {
    CacheDirectory best = null;
    long bestHash = 0;
    for (CacheDirectory each : directories) {
      if (each.isUsable()) {
        long hash = mix(key.digest().hashCode() * 0x9E3779B97F4A7C15L + each.path().hashCode());
        if (best == null || hash > bestHash) {
          best = each;
          bestHash = hash;
        }
      }
    }
    return best;
  }

  /** Finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom numbers, 2014). */
  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /**
   * Reads a part from the cache.
   *
   * @return whether its bytes are in the target; if not, the target's contents are undefined
   */
  boolean read(ObjectIndex index, ReadPlan.Hit hit) {
    CacheFile file = hit.part().extent().file();
    CacheDirectory directory = index.directory();
    if (!directory.isUsable()) {
      return false;
    }
    try {
      int length = Math.toIntExact(hit.part().length());
      file.read(hit.part().extent(), hit.part().position(), length, hit.target());
    } catch (NoSuchFileException e) {
      index.remove(file);
      return false;
    } catch (ClosedByInterruptException e) {
      // The storage's reader decides what an interrupt means.
      return false;
    } catch (CorruptFileException e) {
      index.remove(file);
      directory.discard(file.path());
      return false;
    } catch (IOException e) {
      if (!CacheDirectory.isOfSystem(e)) {
        index.remove(file);
        directory.discard(file.path());
      }
      directory.readFailed(e);
      return false;
    }
    directory.readSucceeded();
    if (file.needsTouch()) {
      directory.touch(file);
    }
    return true;
  }

  /** Returns a future of the end of all writes that have been queued, for tests. */
  CompletableFuture<Void> written() {
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (CacheDirectory directory : directories) {
      CompletableFuture<Void> end = new CompletableFuture<>();
      directory.after(() -> end.complete(null));
      ends.add(end);
    }
    return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
  }

  /** Returns the directories in use. */
  List<CacheDirectory> directories() {
    return List.copyOf(directories);
  }

  /** Ends the threads and frees the memory; readers then read from the storage. Idempotent. */
  @Override
  public void close() {
    Closer closer = new Closer();
    directories.forEach(closer::close);
    closer.close(staging);
    closer.rethrow();
  }
}
