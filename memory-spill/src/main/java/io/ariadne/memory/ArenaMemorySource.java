package io.ariadne.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Takes memory from another source in few large regions, and divides these: for sources whose
 * allocations cost much, such as {@code cuMemAlloc} and {@code cuMemFree}, which wait for the
 * device. The first region has the whole limit. When the source refuses that, the arena asks for an
 * eighth less, and so on, as for further regions when it needs them. A region has at least a
 * sixty-fourth of the limit, so that they are few. Regions are given back when the arena is closed.
 *
 * <p>Freed memory is allocated again at once, though work that was queued before may still use it.
 * So the back end of the memory has to do all work on it in the order in which it is queued, or
 * wait.
 *
 * <p>Thread-safe.
 */
public final class ArenaMemorySource implements MemorySource, AutoCloseable {
  /** How long the source is not asked again for what it has refused: each request is slow. */
  private static final long REFUSAL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final int MOST_REGIONS = 64;

  /** What new memory is filled with for tests, so that they find reads of it. */
  private static final byte NEW = (byte) 0xA5;

  private final MemorySource source;
  private final long limitInBytes;
  private final long leastRegionBytes;
  private final boolean overwrites;

  /** Regions by their first addresses. */
  @GuardedBy("this")
  private final TreeMap<Long, RegionAllocator> regions = new TreeMap<>();

  /** Bytes of all regions. */
  @GuardedBy("this")
  private long sizeInBytes;

  @GuardedBy("this")
  private boolean isClosed;

  /** Held while a region is taken, which may take long: not the monitor, which all threads need. */
  private final Object growth = new Object();

  /** What the source has refused last, and when; requests of less are made at once. */
  @GuardedBy("growth")
  private long refusedBytes = Long.MAX_VALUE;

  @GuardedBy("growth")
  private long refusedNanos;

  /**
   * Creates an arena without regions.
   *
   * @param source where regions come from, at multiples of 256; the caller keeps ownership
   * @param limitInBytes most bytes of all regions together; the arena uses multiples of 256
   * @param overwrites whether memory is filled with a pattern before it is given out, for tests:
   *     they find reads of memory that is new, and of memory that has another owner by now
   */
  public ArenaMemorySource(MemorySource source, long limitInBytes, boolean overwrites) {
    this.source = source;
    this.overwrites = overwrites;
    this.limitInBytes = limitInBytes & -RegionAllocator.GRANULE_BYTES;
    this.leastRegionBytes = RegionAllocator.rounded(this.limitInBytes / MOST_REGIONS);
  }

  @Override
  public MemoryTier tier() {
    return source.tier();
  }

  @Override
  public void checkUsable() {
    source.checkUsable();
  }

  @Override
  public long allocate(long lengthInBytes) {
    source.checkUsable();
    long address = take(lengthInBytes);
    if (overwrites && address != 0) {
      overwrite(address, lengthInBytes);
    }
    return address;
  }

  private long take(long lengthInBytes) {
    long address = takeFromRegions(lengthInBytes);
    if (address != 0) {
      return address;
    }
    synchronized (growth) {
      address = takeFromRegions(lengthInBytes); // of a region that another thread has added
      return address == 0 ? takeFromNewRegion(lengthInBytes) : address;
    }
  }

  private synchronized long takeFromRegions(long lengthInBytes) {
    if (isClosed) {
      throw new IllegalStateException("memory is allocated from an arena that is closed");
    }
    for (RegionAllocator region : regions.values()) {
      long address = region.allocate(lengthInBytes);
      if (address != 0) {
        return address;
      }
    }
    return 0;
  }

  private void overwrite(long address, long lengthInBytes) {
    boolean isDone = false;
    try {
      source.fill(address, lengthInBytes, NEW);
      isDone = true;
    } finally {
      if (!isDone) {
        free(address, lengthInBytes);
      }
    }
  }

  @GuardedBy("growth")
  private long takeFromNewRegion(long lengthInBytes) {
    long size = sizeInBytes();
    long most = limitInBytes - size;
    long requested = RegionAllocator.rounded(lengthInBytes);
    long least = Math.max(requested, Math.min(most, leastRegionBytes));
    if (least >= refusedBytes && System.nanoTime() - refusedNanos < REFUSAL_NANOS) {
      return 0;
    }
    for (long bytes = most; bytes >= least; bytes = next(bytes, least)) {
      long start = source.allocate(bytes);
      if (start != 0) {
        refusedBytes = Long.MAX_VALUE;
        return add(new RegionAllocator(start, bytes), lengthInBytes);
      }
    }
    if (most >= least) {
      refusedBytes = least;
      refusedNanos = System.nanoTime();
    }
    return 0;
  }

  /** Adds a region, and takes the first memory of it. */
  private synchronized long add(RegionAllocator region, long lengthInBytes) {
    regions.put(region.start(), region);
    sizeInBytes += region.sizeInBytes();
    return region.allocate(lengthInBytes);
  }

  /** Returns what is asked for after so many bytes were refused; 0 after the least bytes were. */
  private static long next(long refusedBytes, long leastBytes) {
    long less = (refusedBytes - refusedBytes / 8) & -RegionAllocator.GRANULE_BYTES;
    return refusedBytes == leastBytes ? 0 : Math.max(less, leastBytes);
  }

  @Override
  public void free(long address, long lengthInBytes) {
    synchronized (this) {
      regions.floorEntry(address).getValue().free(address);
    }
  }

  @Override
  public void fill(long address, long lengthInBytes, byte value) {
    source.fill(address, lengthInBytes, value);
  }

  /** Returns the bytes of all regions. */
  public synchronized long sizeInBytes() {
    return sizeInBytes;
  }

  @Override
  public synchronized String fragments(long lengthInBytes) {
    boolean isWhole = sizeInBytes == limitInBytes; // short blocks take more than is charged
    return isWhole || sizeInBytes - usedBytes() >= lengthInBytes ? toString() : "";
  }

  @GuardedBy("this")
  private long usedBytes() {
    return regions.values().stream().mapToLong(RegionAllocator::usedBytes).sum();
  }

  /** Returns the sizes, for diagnosis. */
  @Override
  public synchronized String toString() {
    long largest =
        regions.values().stream().mapToLong(RegionAllocator::largestFreeBytes).max().orElse(0);
    return usedBytes()
        + " of "
        + sizeInBytes
        + " bytes in use, largest free block "
        + largest
        + " bytes, regions: "
        + regions.size();
  }

  /**
   * Gives all regions back.
   *
   * @throws EngineException INTERNAL when memory is in use; its regions are not given back
   */
  @Override
  public synchronized void close() {
    isClosed = true;
    Closer closer = new Closer();
    for (Map.Entry<Long, RegionAllocator> each : regions.entrySet()) {
      RegionAllocator region = each.getValue();
      if (region.usedBytes() == 0) {
        source.free(each.getKey(), region.sizeInBytes());
        sizeInBytes -= region.sizeInBytes();
      } else {
        closer.close(() -> refuse(region));
      }
    }
    regions.values().removeIf(region -> region.usedBytes() == 0);
    closer.rethrow();
  }

  private void refuse(RegionAllocator region) {
    throw new EngineException(
        ErrorCode.INTERNAL,
        region.usedBytes()
            + " bytes of "
            + tier()
            + " memory are in use at the end of their arena");
  }
}
