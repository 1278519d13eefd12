package io.ariadne.io.cache;

import java.util.concurrent.atomic.LongAdder;

/**
 * What a {@link RangeCache} has done since it was opened. Any thread may add and read.
 *
 * @param hits ranges read from the cache alone
 * @param misses ranges of which at least a part came from the storage
 * @param bytesFromCache bytes read from the cache
 * @param bytesFromStorage bytes read from the storage through the cache
 * @param bytesWritten bytes of files added to the cache, headers included
 * @param evictions files deleted because space was needed
 * @param corruptFiles files found damaged, cut or unreadable; they count as misses and are deleted
 * @param droppedWrites writes that were dropped: the disk was too slow, full or failed, or the
 *     limit did not allow them
 */
public record RangeCacheCounters(
    LongAdder hits,
    LongAdder misses,
    LongAdder bytesFromCache,
    LongAdder bytesFromStorage,
    LongAdder bytesWritten,
    LongAdder evictions,
    LongAdder corruptFiles,
    LongAdder droppedWrites) {
  /** Creates counters at zero. */
  static RangeCacheCounters create() {
    return new RangeCacheCounters(
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder(),
        new LongAdder());
  }
}
