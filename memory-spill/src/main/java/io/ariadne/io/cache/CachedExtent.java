package io.ariadne.io.cache;

/**
 * A range of a remote file that a file of the cache has.
 *
 * @param file the file of the cache
 * @param position first byte in the remote file
 * @param length bytes, at least 1
 * @param storedAt where the first chunk is in the file of the cache
 * @param firstChunk number of the first chunk among those of all extents of the file
 */
record CachedExtent(CacheFile file, long position, int length, long storedAt, int firstChunk) {
  /** Returns the position after the last byte. */
  long end() {
    return position + length;
  }
}
