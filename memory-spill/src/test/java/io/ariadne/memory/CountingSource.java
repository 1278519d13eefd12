package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Host memory that counts what is really out and the most that ever was. */
final class CountingSource implements MemorySource {
  final AtomicLong out = new AtomicLong();
  final AtomicLong highest = new AtomicLong();
  final AtomicLong requests = new AtomicLong();
  volatile boolean exhausted;

  /** How many of the next requests are refused. */
  final AtomicInteger refusals = new AtomicInteger();

  /** Requests are refused that would have more than this out. */
  volatile long mostOut = Long.MAX_VALUE;

  volatile boolean broken;

  volatile String fragments = "";

  @Override
  public MemoryTier tier() {
    return MemoryTier.HOST;
  }

  @Override
  public String fragments(long lengthInBytes) {
    return fragments;
  }

  @Override
  public long allocate(long lengthInBytes) {
    if (broken) {
      throw new EngineException(ErrorCode.INTERNAL, "the source is broken");
    }
    requests.incrementAndGet();
    if (exhausted) {
      return 0;
    }
    if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0
        || out.get() + lengthInBytes > mostOut) {
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
  public void fill(long address, long lengthInBytes, byte value) {
    HostMemorySource.INSTANCE.fill(address, lengthInBytes, value);
  }
}
