package io.ariadne.parquet.testing;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/** Rejects allocations that would exceed a limit. */
public final class LimitedAllocator implements BufferAllocator {
  private final BufferAllocator delegate;
  private final long limit;

  public LimitedAllocator(BufferAllocator delegate, long limit) {
    this.delegate = delegate;
    this.limit = limit;
  }

  @Override
  public MemoryBuffer allocate(long lengthInBytes) {
    if (lengthInBytes > limit - delegate.allocatedBytes()) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY, lengthInBytes + " bytes beyond a limit of " + limit);
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
