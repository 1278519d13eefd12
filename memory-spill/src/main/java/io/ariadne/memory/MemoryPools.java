package io.ariadne.memory;

/** Creates root pools. */
public final class MemoryPools {
  /** System property: {@code true} makes new root pools remember where buffers are asked for. */
  public static final String TRACK_ALLOCATIONS_PROPERTY = "ariadne.memory.trackAllocations";

  private MemoryPools() {}

  /**
   * Creates a root pool of pageable host memory.
   *
   * @param name name for messages
   * @param limitInBytes bytes its open buffers may take at most
   * @return a pool to be closed by the caller
   */
  public static MemoryPool host(String name, long limitInBytes) {
    return host(name, limitInBytes, Boolean.getBoolean(TRACK_ALLOCATIONS_PROPERTY));
  }

  /**
   * Creates a root pool of pageable host memory.
   *
   * @param name name for messages
   * @param limitInBytes bytes its open buffers may take at most
   * @param tracking whether leak reports name the places buffers were asked for
   * @return a pool to be closed by the caller
   */
  public static MemoryPool host(String name, long limitInBytes, boolean tracking) {
    return new MemoryPool(name, null, HostMemorySource.INSTANCE, limitInBytes, tracking);
  }

  /**
   * Creates a root pool over another source of memory.
   *
   * @param name name for messages
   * @param limitInBytes bytes its open buffers may take at most
   * @param source where the memory comes from; stays owned by the caller
   * @return a pool to be closed by the caller, before the source
   */
  public static MemoryPool over(String name, long limitInBytes, MemorySource source) {
    boolean tracking = Boolean.getBoolean(TRACK_ALLOCATIONS_PROPERTY);
    return new MemoryPool(name, null, source, limitInBytes, tracking);
  }
}
