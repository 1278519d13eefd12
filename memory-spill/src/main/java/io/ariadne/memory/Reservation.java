package io.ariadne.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reserves bytes of a pool for one task, and allocates them.
 *
 * <p>The pool is charged when the reservation is made, so allocations within it never exceed the
 * limit. Closing a buffer while the reservation is open makes its bytes usable again. {@link
 * #close} gives back the unused bytes. Buffers that are still open then stay charged as ordinary
 * buffers of the pool: an output batch outlives its task's reservation. Thread-safe.
 */
public final class Reservation implements BufferAllocator, AutoCloseable {
  private final MemoryPool pool;

  @GuardedBy("this")
  private String owner;

  @GuardedBy("this")
  private long reservedBytes;

  @GuardedBy("this")
  private long usedBytes;

  @GuardedBy("this")
  private long peakBytes;

  @GuardedBy("this")
  private boolean closed;

  /** Takes ownership of {@code bytes} that are charged to {@code pool}. */
  Reservation(MemoryPool pool, String owner, long bytes) {
    this.pool = pool;
    this.owner = owner;
    this.reservedBytes = bytes;
  }

  /**
   * Allocates within the reservation; does not grow it and moves no batches. Blocks only between
   * requests that the source of the memory refuses ({@link MemoryPool#retrySource}).
   *
   * @param lengthInBytes requested length, at least 0; padded to a multiple of 64
   * @return a buffer owned by the caller
   * @throws EngineException OUT_OF_MEMORY when the unused part is too small: the caller grows the
   *     reservation, or releases what it holds and tries again; also when the source has no memory
   */
  @Override
  public MemoryBuffer allocate(long lengthInBytes) {
    MemoryBuffer buffer = allocateIfFits(lengthInBytes, false);
    if (buffer == null) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY,
          "cannot allocate " + lengthInBytes + " bytes within reservation " + this);
    }
    return buffer;
  }

  /**
   * Allocates as {@link #allocate}; returns null when the unused part is too small.
   *
   * @param movesBatches as of {@link PoolSource#allocate}
   */
  MemoryBuffer allocateIfFits(long lengthInBytes, boolean movesBatches) {
    long capacity = MemoryPool.capacityOf(lengthInBytes);
    synchronized (this) {
      checkOpen();
      if (capacity > reservedBytes - usedBytes) {
        return null;
      }
      usedBytes += capacity;
      peakBytes = Math.max(peakBytes, usedBytes);
    }
    return pool.newBuffer(lengthInBytes, capacity, this::release, movesBatches);
  }

  @Override
  public MemoryBuffer allocateZeroed(long lengthInBytes) {
    return pool.zeroed(allocate(lengthInBytes));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Moves batches out between the attempts, and repeats the action for the time of {@link
   * MemoryPool#retrySource}; a thread that may not wait does neither. What is refused because the
   * reservation is too small is not repeated.
   */
  @Override
  public <T> T allocateAll(long lengthInBytes, Supplier<T> action) {
    return pool.source.allocateAll(pool, MemoryPool.capacityOf(lengthInBytes), action);
  }

  /**
   * Adds bytes to the reservation; blocks until they are free or the time is over.
   *
   * <p>Two tasks that grow while each holds memory that the other needs wait for each other until
   * the time is over. So keep the wait short, and release what the task holds after a refusal.
   *
   * @param lengthInBytes bytes to add, at least 0; padded to a multiple of 64
   * @param timeoutMillis how long to wait at most; 0 does not wait
   * @throws EngineException OUT_OF_MEMORY when the time is over; the reservation is unchanged
   * @throws InterruptedException when the thread is interrupted while it waits
   */
  public void grow(long lengthInBytes, long timeoutMillis) throws InterruptedException {
    long bytes = MemoryPool.capacityOf(lengthInBytes);
    pool.queue().charge(pool, owner(), bytes, true, timeoutMillis);
    add(bytes);
  }

  /**
   * Adds bytes to the reservation if they are free; does not wait.
   *
   * @param lengthInBytes bytes to add, at least 0; padded to a multiple of 64
   * @return whether the reservation grew
   */
  public boolean tryGrow(long lengthInBytes) {
    long bytes = MemoryPool.capacityOf(lengthInBytes);
    if (!pool.queue().tryCharge(pool, bytes, true)) {
      return false;
    }
    add(bytes);
    return true;
  }

  /**
   * Gives unused bytes back to the pool.
   *
   * @param lengthInBytes bytes to give back at most, rounded down to a multiple of 64
   * @return bytes given back, less than requested when less is unused
   */
  public long shrink(long lengthInBytes) {
    if (lengthInBytes < 0) {
      throw new IllegalArgumentException("length is negative: " + lengthInBytes);
    }
    long bytes;
    synchronized (this) {
      checkOpen();
      bytes = Math.min(lengthInBytes & -MemoryBuffer.ALIGNMENT, reservedBytes - usedBytes);
      reservedBytes -= bytes;
    }
    pool.discharge(bytes);
    return bytes;
  }

  /**
   * Passes the reservation to another owner, which closes it. The pool's charge stays, so no other
   * request can take the bytes in between.
   *
   * @param newOwner names the new owner, for diagnosis
   * @return this
   */
  public synchronized Reservation transferTo(String newOwner) {
    checkOpen();
    owner = newOwner;
    return this;
  }

  /** Returns bytes reserved, used ones included; after close the bytes still in use. */
  public synchronized long reservedBytes() {
    return reservedBytes;
  }

  /** Returns bytes of open buffers that were allocated here. */
  @Override
  public synchronized long allocatedBytes() {
    return usedBytes;
  }

  /** Returns the most bytes in use at once: the size to reserve for the next such task. */
  public synchronized long peakBytes() {
    return peakBytes;
  }

  /** Returns the name of the owner. */
  public synchronized String owner() {
    return owner;
  }

  /** Returns the pool that is charged. */
  public MemoryPool pool() {
    return pool;
  }

  @Override
  public MemoryTier tier() {
    return pool.tier();
  }

  /** Gives the unused part back. A second call fails, because it means two owners. */
  @Override
  public void close() {
    long unused;
    synchronized (this) {
      checkOpen();
      closed = true;
      unused = reservedBytes - usedBytes;
      reservedBytes = usedBytes;
    }
    pool.reservations().remove(this);
    pool.discharge(unused);
  }

  @Override
  public synchronized String toString() {
    return owner
        + " in pool "
        + pool.name()
        + ": reserved="
        + reservedBytes
        + " used="
        + usedBytes
        + " peak="
        + peakBytes;
  }

  /** Returns the largest reservations, the largest first. */
  static List<Reservation> largest(Collection<Reservation> all, int atMost) {
    return all.stream()
        .map(each -> new Held(each, each.reservedBytes()))
        .sorted(Comparator.comparingLong(Held::bytes).reversed())
        .limit(atMost)
        .map(Held::reservation)
        .toList();
  }

  /** A snapshot: sorting needs keys that stay. */
  private record Held(Reservation reservation, long bytes) {}

  private void add(long bytes) {
    boolean late;
    synchronized (this) {
      late = closed;
      if (!late) {
        reservedBytes += bytes;
      }
    }
    if (late) {
      pool.discharge(bytes);
      throw new IllegalStateException("reservation was closed while it grew: " + this);
    }
  }

  private void release(long bytes) {
    boolean toPool;
    synchronized (this) {
      usedBytes -= bytes;
      toPool = closed;
      if (toPool) {
        reservedBytes -= bytes;
      }
    }
    if (toPool) {
      pool.discharge(bytes);
    }
  }

  @GuardedBy("this")
  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("reservation is already closed: " + this);
    }
  }
}
