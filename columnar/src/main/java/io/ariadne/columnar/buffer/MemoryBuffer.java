package io.ariadne.columnar.buffer;

/**
 * A range of memory outside the Java heap with exactly one owner.
 *
 * <p>The owner closes it once; a second close is an error, because it means two owners. Not
 * thread-safe; passing it to another thread passes ownership. Accessors check bounds and fail on
 * device memory.
 */
public final class MemoryBuffer implements AutoCloseable {
  /** Alignment of addresses and granularity of capacities, in bytes. */
  public static final int ALIGNMENT = 64;

  /** Frees the memory when the owner closes the buffer. */
  @FunctionalInterface
  public interface Releaser {
    /** Notes that the memory leaves the work that allocated it. */
    default void leave() {}

    /**
     * Releases the memory.
     *
     * @param buffer the buffer being closed
     */
    void release(MemoryBuffer buffer);
  }

  private final long address;
  private final long lengthInBytes;
  private final long capacityInBytes;
  private final MemoryTier tier;
  private final Releaser releaser;
  private boolean closed;

  /**
   * Wraps memory; called by allocators and importers.
   *
   * @param address first byte, 0 only when the capacity is 0
   * @param lengthInBytes bytes in use
   * @param capacityInBytes bytes owned, at least {@code lengthInBytes}
   * @param tier where the memory lives
   * @param releaser called once, by {@link #close}
   */
  public MemoryBuffer(
      long address, long lengthInBytes, long capacityInBytes, MemoryTier tier, Releaser releaser) {
    if (lengthInBytes < 0 || capacityInBytes < lengthInBytes) {
      throw new IllegalArgumentException(
          "length " + lengthInBytes + " does not fit capacity " + capacityInBytes);
    }
    this.address = address;
    this.lengthInBytes = lengthInBytes;
    this.capacityInBytes = capacityInBytes;
    this.tier = tier;
    this.releaser = releaser;
  }

  /** Rounds a length up to a multiple of {@link #ALIGNMENT}. */
  public static long padded(long lengthInBytes) {
    return (lengthInBytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Returns the first byte's address; fails after close. */
  public long address() {
    checkOpen();
    return address;
  }

  /** Returns the bytes in use. */
  public long lengthInBytes() {
    return lengthInBytes;
  }

  /** Returns the bytes owned, padding included. */
  public long capacityInBytes() {
    return capacityInBytes;
  }

  /** Returns where the memory lives. */
  public MemoryTier tier() {
    return tier;
  }

  /** Returns whether the owner has closed this buffer. */
  public boolean isClosed() {
    return closed;
  }

  /** Sets all bytes, padding included, to zero. */
  public void fillZero() {
    if (capacityInBytes > 0) {
      Memory.fill(checked(0, 0), capacityInBytes, (byte) 0);
    }
  }

  /** Returns the byte at {@code offset} bytes. */
  public byte getByte(long offset) {
    return Memory.getByte(checked(offset, Byte.BYTES));
  }

  /** Stores a byte at {@code offset} bytes. */
  public void putByte(long offset, byte value) {
    Memory.putByte(checked(offset, Byte.BYTES), value);
  }

  /** Returns the short at {@code offset} bytes. */
  public short getShort(long offset) {
    return Memory.getShort(checked(offset, Short.BYTES));
  }

  /** Stores a short at {@code offset} bytes. */
  public void putShort(long offset, short value) {
    Memory.putShort(checked(offset, Short.BYTES), value);
  }

  /** Returns the int at {@code offset} bytes. */
  public int getInt(long offset) {
    return Memory.getInt(checked(offset, Integer.BYTES));
  }

  /** Stores an int at {@code offset} bytes. */
  public void putInt(long offset, int value) {
    Memory.putInt(checked(offset, Integer.BYTES), value);
  }

  /** Returns the long at {@code offset} bytes. */
  public long getLong(long offset) {
    return Memory.getLong(checked(offset, Long.BYTES));
  }

  /** Stores a long at {@code offset} bytes. */
  public void putLong(long offset, long value) {
    Memory.putLong(checked(offset, Long.BYTES), value);
  }

  /** Returns the float at {@code offset} bytes. */
  public float getFloat(long offset) {
    return Memory.getFloat(checked(offset, Float.BYTES));
  }

  /** Stores a float at {@code offset} bytes. */
  public void putFloat(long offset, float value) {
    Memory.putFloat(checked(offset, Float.BYTES), value);
  }

  /** Returns the double at {@code offset} bytes. */
  public double getDouble(long offset) {
    return Memory.getDouble(checked(offset, Double.BYTES));
  }

  /** Stores a double at {@code offset} bytes. */
  public void putDouble(long offset, double value) {
    Memory.putDouble(checked(offset, Double.BYTES), value);
  }

  /** Copies {@code length} bytes of an array into this buffer at {@code offset} bytes. */
  public void putBytes(long offset, byte[] source, int sourceOffset, int length) {
    Memory.copy(source, sourceOffset, checked(offset, length), length);
  }

  /** Copies {@code length} bytes of this buffer from {@code offset} bytes into an array. */
  public void getBytes(long offset, byte[] target, int targetOffset, int length) {
    Memory.copy(checked(offset, length), target, targetOffset, length);
  }

  /**
   * Moves the memory to a buffer of another length; the call closes this one.
   *
   * @param newLengthInBytes bytes in use, at most the capacity
   * @return a buffer owned by the caller
   */
  public MemoryBuffer withLength(long newLengthInBytes) {
    checkOpen();
    MemoryBuffer moved =
        new MemoryBuffer(address, newLengthInBytes, capacityInBytes, tier, releaser);
    closed = true;
    return moved;
  }

  /** Notes that the memory leaves the work that allocated it, and no longer counts for it. */
  public void leaveWork() {
    checkOpen();
    releaser.leave();
  }

  /** Returns the memory to its allocator; exactly once. */
  @Override
  public void close() {
    checkOpen();
    closed = true;
    releaser.release(this);
  }

  /** Returns the raw address for the releaser, which runs after the buffer counts as closed. */
  public long addressForRelease() {
    return address;
  }

  private long checked(long offset, long length) {
    checkOpen();
    if (tier == MemoryTier.DEVICE || tier == MemoryTier.DISK) {
      throw new IllegalStateException("a " + tier + " buffer cannot be accessed by the host");
    }
    if (offset < 0 || length < 0 || offset > capacityInBytes - length) {
      throw new IndexOutOfBoundsException(
          "offset=" + offset + " length=" + length + " capacity=" + capacityInBytes);
    }
    return address + offset;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("buffer of " + lengthInBytes + " bytes is already closed");
    }
  }
}
