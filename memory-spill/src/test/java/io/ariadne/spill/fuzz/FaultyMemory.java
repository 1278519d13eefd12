package io.ariadne.spill.fuzz;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemorySource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Host memory that is sometimes refused, is counted against the budget, and has other contents as
 * soon as it is free, so that whoever still reads it gets wrong values.
 */
final class FaultyMemory implements MemorySource {
  private static final byte NEW = (byte) 0xA5;
  private static final byte FREE = 0x5A;

  private final MemoryTier tier;
  private final long limitInBytes;
  private final Faults faults;
  private final AtomicLong openBytes = new AtomicLong();
  private final AtomicLong excess = new AtomicLong();

  FaultyMemory(MemoryTier tier, long limitInBytes, Faults faults) {
    this.tier = tier;
    this.limitInBytes = limitInBytes;
    this.faults = faults;
  }

  /** Returns the most bytes by which the budget was ever exceeded. */
  long excess() {
    return excess.get();
  }

  /** Returns bytes that are out. */
  long openBytes() {
    return openBytes.get();
  }

  @Override
  public MemoryTier tier() {
    return tier;
  }

  @Override
  public long allocate(long lengthInBytes) {
    if (faults.strikes(Faults.Kind.ALLOCATION)) {
      return 0;
    }
    long open = openBytes.addAndGet(lengthInBytes);
    excess.accumulateAndGet(open - limitInBytes, Math::max);
    long address = Memory.allocateAligned(lengthInBytes);
    Memory.fill(address, lengthInBytes, NEW);
    return address;
  }

  @Override
  public void free(long address, long lengthInBytes) {
    openBytes.addAndGet(-lengthInBytes);
    Memory.fill(address, lengthInBytes, FREE);
    Memory.freeAligned(address);
  }

  @Override
  public void fillZero(long address, long lengthInBytes) {
    Memory.fill(address, lengthInBytes, (byte) 0);
  }
}
