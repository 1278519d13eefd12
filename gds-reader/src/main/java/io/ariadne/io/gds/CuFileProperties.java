package io.ariadne.io.gds;

import io.ariadne.columnar.buffer.Memory;

/**
 * What cuFile's driver says of itself, as of struct {@code CUfileDrvProps_t}.
 *
 * @param major major version of the kernel module nvidia-fs, 0 when it is not loaded
 * @param minor minor version of it
 * @param fileSystems a bit for each kind of file system with a direct path
 * @param controls bits of settings in effect
 * @param features bits of what the library can do
 * @param bufferCacheBytes entries of a batch that are larger are copied through the host
 * @param batchEntries entries of a batch at most
 */
record CuFileProperties(
    int major,
    int minor,
    int fileSystems,
    int controls,
    int features,
    long bufferCacheBytes,
    int batchEntries) {
  /** Memory for the struct, which newer libraries may extend. */
  static final int SIZE = 256;

  private static final int MAJOR = 0;
  private static final int MINOR = 4;
  private static final int FILE_SYSTEMS = 24;
  private static final int CONTROLS = 28;
  private static final int FEATURES = 32;
  private static final int BUFFER_CACHE_KIB = 40;
  private static final int BATCH_ENTRIES = 48;

  private static final int ALLOW_COMPATIBILITY = 1;
  private static final int BATCHES = 1;
  private static final int STREAMS = 2;
  private static final int PEER_TO_PEER = 4;
  private static final int DEFAULT_BATCH_ENTRIES = 128;
  private static final long DEFAULT_BUFFER_CACHE_BYTES = 1 << 20;

  /** Reads the struct at an address. */
  static CuFileProperties at(long address) {
    long cacheKib = Integer.toUnsignedLong(Memory.getInt(address + BUFFER_CACHE_KIB));
    int entries = Memory.getInt(address + BATCH_ENTRIES);
    return new CuFileProperties(
        Memory.getInt(address + MAJOR),
        Memory.getInt(address + MINOR),
        Memory.getInt(address + FILE_SYSTEMS),
        Memory.getInt(address + CONTROLS),
        Memory.getInt(address + FEATURES),
        cacheKib == 0 ? DEFAULT_BUFFER_CACHE_BYTES : cacheKib << 10,
        entries <= 0 || entries > DEFAULT_BATCH_ENTRIES ? DEFAULT_BATCH_ENTRIES : entries);
  }

  /** Returns whether storage can write to GPU memory at all: by nvidia-fs, or by the kernel. */
  boolean isDirect() {
    return major != 0 || minor != 0 || has(features, PEER_TO_PEER);
  }

  /** Returns whether cuFile may copy through the host where there is no direct path. */
  boolean allowsCompatibility() {
    return has(controls, ALLOW_COMPATIBILITY);
  }

  boolean hasBatches() {
    return has(features, BATCHES);
  }

  boolean hasStreams() {
    return has(features, STREAMS);
  }

  /** Returns whether one of the kinds of file systems has a direct path. */
  boolean supportsAny(int kinds) {
    return (fileSystems & kinds) != 0;
  }

  private static boolean has(int bits, int bit) {
    return (bits >>> bit & 1) != 0;
  }
}
