package io.ariadne.io.cache;

import io.ariadne.io.ByteRange;
import io.ariadne.io.cache.ObjectIndex.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Which parts of several ranges are read from the cache, and which from the storage.
 *
 * <p>The storage is asked for one part of each range at most, from the first byte that is missing
 * to the last one: a request costs more than the cached bytes between. For the same reason missing
 * parts of ranges that follow each other without a gap are joined when few cached bytes lie
 * between: readers send one request for such ranges, and would send two. Used by one thread.
 */
final class ReadPlan {
  /** Bytes that take about as long as the wait for the first byte of a request. */
  static final long JOINED_BYTES = 512 << 10;

  private final List<Planned> ranges = new ArrayList<>();

  /** A part that is read from the cache. */
  record Hit(ByteRange range, Part part) {
    /** Returns the host address that the part goes to. */
    long target() {
      return range.target().address() + range.targetOffset() + part.position() - range.position();
    }

    /** Returns the same part of the range. */
    ByteRange asRange() {
      return new ByteRange(
          part.position(),
          range.target(),
          range.targetOffset() + part.position() - range.position(),
          part.length());
    }
  }

  /** A range: its parts, and the bytes from the first to the last missing one. */
  private static final class Planned {
    final ByteRange range;
    final List<Part> parts;
    long missingFrom = Long.MAX_VALUE;
    long missingTo = Long.MIN_VALUE;

    Planned(ByteRange range, List<Part> parts) {
      this.range = range;
      this.parts = parts;
    }

    long end() {
      return range.position() + range.length();
    }

    boolean isMissing() {
      return missingFrom < missingTo;
    }

    void misses(long from, long to) {
      missingFrom = Math.min(missingFrom, from);
      missingTo = Math.max(missingTo, to);
    }

    boolean isRead(Part part) {
      return part.extent() != null
          && (part.position() >= missingTo || part.position() + part.length() <= missingFrom);
    }

    ByteRange missing() {
      return new ByteRange(
          missingFrom,
          range.target(),
          range.targetOffset() + missingFrom - range.position(),
          missingTo - missingFrom);
    }
  }

  /**
   * Plans to read ranges.
   *
   * @param index what is cached
   * @param tag tag that cached parts must have, 0 for any
   */
  ReadPlan(ObjectIndex index, List<ByteRange> ranges, long tag) {
    for (ByteRange range : ranges) {
      this.ranges.add(new Planned(range, index.parts(range.position(), range.length(), tag)));
    }
    this.ranges.sort(Comparator.comparingLong(planned -> planned.range.position()));
    for (Planned planned : this.ranges) {
      for (Part part : planned.parts) {
        if (part.extent() == null) {
          planned.misses(part.position(), part.position() + part.length());
        }
      }
    }
    join();
  }

  /** Joins missing parts that are close together in ranges without gaps. */
  private void join() {
    int last = -1;
    long end = -1;
    for (int i = 0; i < ranges.size(); i++) {
      Planned next = ranges.get(i);
      if (next.range.position() > end) {
        last = -1;
      }
      end = Math.max(end, next.end());
      if (next.isMissing()) {
        if (last >= 0 && next.missingFrom - ranges.get(last).missingTo <= JOINED_BYTES) {
          join(last, i);
        }
        last = i;
      }
    }
  }

  private void join(int first, int last) {
    Planned start = ranges.get(first);
    start.misses(start.missingTo, start.end());
    for (int between = first + 1; between < last; between++) {
      Planned whole = ranges.get(between);
      whole.misses(whole.range.position(), whole.end());
    }
    Planned next = ranges.get(last);
    next.misses(next.range.position(), next.missingTo);
  }

  /** Returns what is read from the cache. */
  List<Hit> hits() {
    List<Hit> hits = new ArrayList<>();
    for (Planned planned : ranges) {
      for (Part part : planned.parts) {
        if (planned.isRead(part)) {
          hits.add(new Hit(planned.range, part));
        }
      }
    }
    return hits;
  }

  /** Returns what is read from the storage, at most one part of each range. */
  List<ByteRange> missing() {
    return ranges.stream().filter(Planned::isMissing).map(Planned::missing).toList();
  }

  /** Returns what is read from the storage when some parts could not be read from the cache. */
  List<ByteRange> missing(Set<Hit> failed) {
    if (!failed.isEmpty()) {
      failed(failed);
      join();
    }
    return missing();
  }

  /** Notes that some parts could not be read from the cache. */
  void failed(Set<Hit> failed) {
    for (Planned planned : ranges) {
      for (Part part : planned.parts) {
        if (part.extent() != null && failed.contains(new Hit(planned.range, part))) {
          planned.misses(part.position(), part.position() + part.length());
        }
      }
    }
  }

  /** Returns the ranges of which nothing is read from the storage. */
  long wholeHits() {
    return ranges.stream()
        .filter(planned -> !planned.isMissing() && planned.range.length() > 0)
        .count();
  }
}
