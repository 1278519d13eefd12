package io.ariadne.columnar.buffer;

/**
 * An immutable, reference-counted buffer: a string heap that views of many columns and batches
 * point into.
 *
 * <p>Thread-safe. Created with one reference; the owner of each reference calls {@link #release}
 * once; the last release closes the buffer.
 */
public final class SharedBuffer {
  private final MemoryBuffer buffer;
  private final ReferenceCount holders = new ReferenceCount();

  /**
   * Takes ownership of a buffer.
   *
   * @param buffer the contents, which no code may change any more
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

  /** Adds a reference and returns this. */
  public SharedBuffer retain() {
    holders.add();
    return this;
  }

  /** Removes a reference; the last release frees the memory. */
  public void release() {
    if (holders.remove()) {
      buffer.close();
    }
  }

  /** Returns the reference count, for tests and leak reports. */
  public int holderCount() {
    return holders.count();
  }
}
