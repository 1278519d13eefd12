package io.ariadne.memory;

/** Creates root pools. */
public final class MemoryPools {
  /** System property: {@code true} makes new root pools remember where buffers are allocated. */
  public static final String TRACK_ALLOCATIONS_PROPERTY = "ariadne.memory.trackAllocations";

  private static final String ADVICE = "give the pool more memory or do less at once";

  private MemoryPools() {}

  /** Returns the pageable memory of the host, from which the pools of {@link #host} allocate. */
  public static MemorySource hostSource() {
    return HostMemorySource.INSTANCE;
  }

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
   * @param tracking whether leak reports name the places where buffers were allocated
   * @return a pool to be closed by the caller
   */
  public static MemoryPool host(String name, long limitInBytes, boolean tracking) {
    PoolSource source = new PoolSource(HostMemorySource.INSTANCE);
    return new MemoryPool(name, null, source, limitInBytes, tracking, ADVICE);
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
    return over(name, limitInBytes, source, ADVICE);
  }

  /**
   * Creates a root pool over another source of memory whose messages tell users what to do.
   *
   * @param name name for messages
   * @param limitInBytes bytes its open buffers may take at most
   * @param source where the memory comes from; stays owned by the caller
   * @param advice what to do when memory runs out, such as which setting to raise
   * @return a pool to be closed by the caller, before the source
   */
  public static MemoryPool over(
      String name, long limitInBytes, MemorySource source, String advice) {
    boolean tracking = Boolean.getBoolean(TRACK_ALLOCATIONS_PROPERTY);
    return new MemoryPool(name, null, new PoolSource(source), limitInBytes, tracking, advice);
  }
}
