package io.ariadne.spill.disk;

import java.util.Map;
import java.util.TreeMap;

/**
 * Tracks which bytes of a file or a buffer are free: first fit, neighbours merged. All numbers are
 * multiples of the caller's allocation unit. Not thread-safe.
 */
public final class FreeSpace {
  private final long sizeInBytes;

  /** Free ranges, first byte to length; no two touch. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  /** Creates a file's space, all of it free. */
  public FreeSpace(long sizeInBytes) {
    this.sizeInBytes = sizeInBytes;
    ranges.put(0L, sizeInBytes);
  }

  /** Allocates a range; returns its first byte, or -1 when no free range is long enough. */
  public long allocate(long lengthInBytes) {
    for (Map.Entry<Long, Long> range : ranges.entrySet()) {
      long left = range.getValue() - lengthInBytes;
      if (left >= 0) {
        long offset = range.getKey();
        ranges.remove(offset);
        if (left > 0) {
          ranges.put(offset + lengthInBytes, left);
        }
        return offset;
      }
    }
    return -1;
  }

  /**
   * Frees a range.
   *
   * @throws IllegalStateException when part of it is free already
   */
  public void free(long offset, long lengthInBytes) {
    if (lengthInBytes == 0) {
      return;
    }
    if (lengthInBytes < 0) {
      throw new IllegalArgumentException(lengthInBytes + " bytes are not free");
    }
    long start = offset;
    long end = offset + lengthInBytes;
    Map.Entry<Long, Long> before = ranges.floorEntry(offset);
    Map.Entry<Long, Long> after = ranges.ceilingEntry(offset);
    if ((before != null && before.getKey() + before.getValue() > offset)
        || (after != null && after.getKey() < end)
        || end > sizeInBytes) {
      throw new IllegalStateException("bytes " + offset + " to " + end + " are free already");
    }
    if (before != null && before.getKey() + before.getValue() == offset) {
      start = before.getKey();
    }
    if (after != null && after.getKey() == end) {
      end += after.getValue();
      ranges.remove(after.getKey());
    }
    ranges.put(start, end - start);
  }

  /** Returns whether nothing is allocated. */
  public boolean isAllFree() {
    return ranges.size() == 1 && ranges.firstEntry().getValue() == sizeInBytes;
  }
}
