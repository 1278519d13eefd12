package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.event.MemoryUse;
import java.util.concurrent.atomic.AtomicBoolean;

/** One live buffer of a pool: frees its memory once and remembers where it was allocated. */
final class Allocation implements MemoryBuffer.Releaser {
  private final MemoryPool pool;
  private final Account account;
  private final long lengthInBytes;
  private final Throwable site;
  private MemoryUse holder;
  private final AtomicBoolean released = new AtomicBoolean();

  /**
   * Creates the record of a buffer.
   *
   * @param pool frees the memory
   * @param account what the bytes are charged to
   * @param lengthInBytes bytes charged
   * @param site stack of the allocation, or null when sites are not tracked
   * @param holder what the bytes count for, or null
   */
  Allocation(
      MemoryPool pool, Account account, long lengthInBytes, Throwable site, MemoryUse holder) {
    this.pool = pool;
    this.account = account;
    this.lengthInBytes = lengthInBytes;
    this.site = site;
    this.holder = holder;
    if (holder != null) {
      holder.add(lengthInBytes);
    }
  }

  long lengthInBytes() {
    return lengthInBytes;
  }

  Throwable site() {
    return site;
  }

  /** Frees the memory; a second call, which only a race of two owners can make, fails. */
  @Override
  public void release(MemoryBuffer buffer) {
    if (!released.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "a buffer of " + lengthInBytes + " bytes of pool " + pool.name() + " was closed twice");
    }
    leave();
    pool.free(this, buffer.addressForRelease());
    account.release(lengthInBytes);
  }

  @Override
  public void leave() {
    if (holder != null) {
      holder.add(-lengthInBytes);
      holder = null;
    }
  }

  /** Gets the bytes back: the pool itself, or the reservation that they were taken from. */
  @FunctionalInterface
  interface Account {
    void release(long bytes);
  }
}
