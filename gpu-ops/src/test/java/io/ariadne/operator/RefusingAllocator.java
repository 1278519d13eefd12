package io.ariadne.operator;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * Refuses some allocations of another allocator: a number of them in a row, once some have
 * succeeded. Empty buffers are always granted. Thread-safe.
 */
public final class RefusingAllocator implements BufferAllocator {
  private final BufferAllocator delegate;
  private long grants = Long.MAX_VALUE;
  private long refusals;

  /** Creates an allocator that refuses nothing. */
  public RefusingAllocator(BufferAllocator delegate) {
    this.delegate = delegate;
  }

  /** Refuses allocations of at least one byte, once so many of them have been granted. */
  public synchronized void refuseAfter(long granted, long refused) {
    grants = granted;
    refusals = refused;
  }

  /** Grants all further allocations; returns how many of the refusals were not used. */
  public synchronized long grantAll() {
    long left = refusals;
    refusals = 0;
    return left;
  }

  @Override
  public MemoryBuffer allocate(long lengthInBytes) {
    synchronized (this) {
      if (lengthInBytes > 0 && refusals > 0 && grants-- <= 0) {
        refusals--;
        throw new EngineException(ErrorCode.OUT_OF_MEMORY, "refused by the test");
      }
    }
    return delegate.allocate(lengthInBytes);
  }

  @Override
  public long allocatedBytes() {
    return delegate.allocatedBytes();
  }

  @Override
  public MemoryTier tier() {
    return delegate.tier();
  }
}
