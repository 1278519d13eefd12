package io.ariadne.columnar.buffer;

/**
 * An immutable buffer with counted holders: the string heaps that views of many columns and batches
 * point into.
 *
 * <p>Thread-safe. Created with one holder; every holder calls {@link #release} once; the last one
 * closes the buffer.
 */
public final class SharedBuffer {
  private final MemoryBuffer buffer;
  private final ReferenceCount holders = new ReferenceCount();

  /**
   * Takes ownership of a buffer.
   *
   * @param buffer the contents, not written to any more
   */
  public SharedBuffer(MemoryBuffer buffer) {
    this.buffer = buffer;
  }

  /** Returns the first byte's address. */
  public long address() {
    return buffer.address();
  }

  /** Returns the bytes in use. */
  public long lengthInBytes() {
    return buffer.lengthInBytes();
  }

  /** Returns the bytes owned, padding included. */
  public long capacityInBytes() {
    return buffer.capacityInBytes();
  }

  /** Returns the contents for bounds-checked reading. */
  public MemoryBuffer buffer() {
    return buffer;
  }

  /** Adds a holder and returns this. */
  public SharedBuffer retain() {
    holders.add();
    return this;
  }

  /** Removes a holder; the last one frees the memory. */
  public void release() {
    if (holders.remove()) {
      buffer.close();
    }
  }

  /** Returns the number of holders, for tests and leak reports. */
  public int holderCount() {
    return holders.count();
  }
}
