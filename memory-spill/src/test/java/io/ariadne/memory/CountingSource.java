package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.concurrent.atomic.AtomicLong;

/** Host memory that counts what is really out and the most that ever was. */
final class CountingSource implements MemorySource {
  final AtomicLong out = new AtomicLong();
  final AtomicLong highest = new AtomicLong();
  volatile boolean exhausted;
  volatile boolean broken;

  @Override
  public MemoryTier tier() {
    return MemoryTier.HOST;
  }

  @Override
  public long allocate(long lengthInBytes) {
    if (broken) {
      throw new EngineException(ErrorCode.INTERNAL, "the source is broken");
    }
    if (exhausted) {
      return 0;
    }
    highest.accumulateAndGet(out.addAndGet(lengthInBytes), Math::max);
    return HostMemorySource.INSTANCE.allocate(lengthInBytes);
  }

  @Override
  public void free(long address, long lengthInBytes) {
    HostMemorySource.INSTANCE.free(address, lengthInBytes);
    out.addAndGet(-lengthInBytes);
  }

  @Override
  public void fillZero(long address, long lengthInBytes) {
    HostMemorySource.INSTANCE.fillZero(address, lengthInBytes);
  }
}
