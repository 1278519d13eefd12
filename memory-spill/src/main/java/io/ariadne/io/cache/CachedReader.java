package io.ariadne.io.cache;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ForwardingReader;
import io.ariadne.io.PendingRead;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads a remote file through a {@link RangeCache}: cached parts from a local disk, the rest with
 * the storage's reader. Cached ranges count as waiting like the storage's, since it is not known
 * whether their disk is fast. Targets that the host cannot write to bypass the cache. Thread-safe.
 */
final class CachedReader extends ForwardingReader {
  private final URI file;
  private final RangeCache cache;

  /**
   * Tag of the version that this reader has returned bytes of, 0 while unknown. Used when the key
   * has only the modification time.
   */
  private final AtomicLong tag = new AtomicLong();

  /** What is cached, null while the version is unknown. */
  private volatile Version known;

  /**
   * The version of the file.
   *
   * @param text what the storage calls it, empty when the modification time identifies it
   * @param index what is cached of it
   */
  private record Version(String text, ObjectIndex index) {}

  CachedReader(ByteRangeReader storage, URI file, RangeCache cache) {
    super(storage);
    this.file = file;
    this.cache = cache;
    version(true);
  }

  /** Returns what is cached, or null when that is unknown or no directory is usable. */
  private Version version(boolean isRead) {
    Version version = known;
    if (version == null) {
      ObjectKey key = cache.keyOf(file, delegate());
      String text = delegate().version();
      ObjectIndex index = key == null ? null : cache.indexOf(key, isRead);
      version = index == null ? null : new Version(key.byTime() ? "" : text, index);
      known = version;
    }
    return version;
  }

  /** Returns the same, or null also when the directory has failed since. */
  private Version usableVersion() {
    Version version = version(false);
    return version == null || version.index().directory().isUsable() ? version : null;
  }

  @Override
  public String storage() {
    return delegate().storage() + " behind the range cache";
  }

  @Override
  public void read(long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException {
    if (!isInFile(position, length)) {
      delegate().read(position, target, targetOffset, length);
      return;
    }
    readNow(List.of(new ByteRange(position, target, targetOffset, length)), true);
  }

  @Override
  public void readAll(List<ByteRange> ranges) throws IOException {
    readNow(ranges, false);
  }

  private boolean isInFile(long position, long length) {
    return position >= 0 && length >= 0 && position <= delegate().lengthInBytes() - length;
  }

  private boolean isCacheable(List<ByteRange> ranges) {
    for (ByteRange range : ranges) {
      MemoryTier tier = range.target().tier();
      if ((tier != MemoryTier.HOST && tier != MemoryTier.PINNED)
          || !isInFile(range.position(), range.length())) {
        return false;
      }
    }
    return true;
  }

  private void readNow(List<ByteRange> ranges, boolean isOne) throws IOException {
    boolean isCacheable = isCacheable(ranges);
    Version version = isCacheable ? usableVersion() : null;
    List<ByteRange> missing = ranges;
    if (version != null) {
      ReadPlan plan = plan(version, ranges);
      missing = plan.missing(readHits(version, plan.hits()));
      counted(plan);
    }
    if (missing.isEmpty()) {
      return;
    }
    if (isOne) {
      ByteRange one = missing.get(0);
      delegate().read(one.position(), one.target(), one.targetOffset(), one.length());
    } else {
      delegate().readAll(missing);
    }
    if (isCacheable) {
      arrived(missing);
    }
  }

  /** Plans a read; cached parts are all of one version of the file. */
  ReadPlan plan(List<ByteRange> ranges) {
    Version version = isCacheable(ranges) ? usableVersion() : null;
    return version == null ? null : plan(version, ranges);
  }

  private ReadPlan plan(Version version, List<ByteRange> ranges) {
    long planned = tag.get();
    ReadPlan plan = new ReadPlan(version.index(), ranges, planned);
    if (!version.text().isEmpty() || planned != 0) {
      return plan;
    }
    for (ReadPlan.Hit hit : plan.hits()) {
      long found = hit.part().extent().file().tag();
      if (found != 0) {
        tag.compareAndSet(0, found);
        break;
      }
    }
    // Another thread may have set the tag since this plan was made.
    long now = tag.get();
    return now == planned ? plan : new ReadPlan(version.index(), ranges, now);
  }

  /** Reads parts from the cache; returns those that cannot be read. */
  Set<ReadPlan.Hit> readHits(List<ReadPlan.Hit> hits) {
    return readHits(known, hits);
  }

  private Set<ReadPlan.Hit> readHits(Version version, List<ReadPlan.Hit> hits) {
    Set<ReadPlan.Hit> failed = new HashSet<>();
    long bytes = 0;
    for (ReadPlan.Hit hit : hits) {
      if (cache.read(version.index(), hit)) {
        bytes += hit.part().length();
      } else {
        failed.add(hit);
      }
    }
    cache.counters().bytesFromCache().add(bytes);
    return failed;
  }

  /** Counts the ranges of a plan whose cached parts have been read. */
  void counted(ReadPlan plan) {
    cache.counters().hits().add(plan.wholeHits());
    cache.counters().misses().add(plan.missing().size());
  }

  /**
   * Queues bytes that have arrived from the storage to be written, or drops them.
   *
   * @throws IOException when they are of another version of the file than bytes returned before
   */
  private void arrived(List<ByteRange> ranges) throws IOException {
    long bytes = ranges.stream().mapToLong(ByteRange::length).sum();
    cache.counters().bytesFromStorage().add(bytes);
    Version version = version(false);
    if (version == null) {
      return;
    }
    String text = delegate().version();
    if (version.text().isEmpty()) {
      if (!text.isEmpty()) {
        checkUnchanged(version.index(), cache.keys().tag(text));
      }
    } else if (!version.text().equals(text)) {
      return;
    }
    if (version.index().directory().isUsable()) {
      store(version.index(), ranges);
    }
  }

  /** Does the same for ranges of any target. */
  void arrivedIfCacheable(List<ByteRange> ranges) throws IOException {
    if (isCacheable(ranges)) {
      arrived(ranges);
    }
  }

  private void checkUnchanged(ObjectIndex index, long found) throws IOException {
    if (tag.compareAndSet(0, found) || tag.get() == found) {
      return;
    }
    index.removeOthers(found).forEach(other -> index.directory().delete(other.path()));
    throw new IOException(
        file
            + " was replaced by a file of the same length and modification time; its cached ranges"
            + " are deleted: run the query again");
  }

  private void store(ObjectIndex index, List<ByteRange> ranges) {
    long maxBytes = cache.maxWriteBytes();
    List<RangeWrite.Source> sources = new ArrayList<>();
    long bytes = 0;
    for (ByteRange range : ranges) {
      long base = range.target().address() + range.targetOffset() - range.position();
      for (ObjectIndex.Part part : index.parts(range.position(), range.length(), tag.get())) {
        long end = part.position() + part.length();
        for (long at = part.position(); part.extent() == null && at < end; ) {
          int length = (int) Math.min(maxBytes - bytes, end - at);
          sources.add(new RangeWrite.Source(new FileLayout.Range(at, length), base + at));
          at += length;
          bytes += length;
          if (bytes == maxBytes || sources.size() == FileLayout.MAX_EXTENTS) {
            write(index, sources);
            sources = new ArrayList<>();
            bytes = 0;
          }
        }
      }
    }
    if (!sources.isEmpty()) {
      write(index, sources);
    }
  }

  private void write(ObjectIndex index, List<RangeWrite.Source> sources) {
    RangeWrite write = RangeWrite.copy(index, tag.get(), sources, cache.staging());
    if (write == null) {
      cache.counters().droppedWrites().increment();
    } else {
      index.directory().write(write);
    }
  }

  @Override
  public PendingRead start(List<ByteRange> ranges, Executor threads) {
    return CachedRead.start(this, delegate(), ranges, threads);
  }

  @Override
  public void close() throws IOException {
    delegate().close();
  }
}
