package io.ariadne.spill.fuzz;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.MemorySource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that is sometimes refused, is counted against the budget, and has other contents as soon
 * as it is free, so that later reads get wrong values.
 */
public final class FaultyMemory implements MemorySource {
  private static final byte NEW = (byte) 0xA5;
  private static final byte FREE = 0x5A;

  private final MemorySource real;
  private final MemoryTier tier;
  private final long limitInBytes;
  private final FaultPlan faults;
  private final AtomicLong openBytes = new AtomicLong();
  private final AtomicLong excess = new AtomicLong();

  /**
   * Puts refusals in front of memory without a budget.
   *
   * @param real where the memory comes from; stays owned by the caller
   * @param faults which requests are refused
   */
  public FaultyMemory(MemorySource real, FaultPlan faults) {
    this(real, real.tier(), Long.MAX_VALUE, faults);
  }

  /** Makes host memory that is taken for that of a tier. */
  FaultyMemory(MemoryTier tier, long limitInBytes, FaultPlan faults) {
    this(MemoryPools.hostSource(), tier, limitInBytes, faults);
  }

  private FaultyMemory(MemorySource real, MemoryTier tier, long limitInBytes, FaultPlan faults) {
    this.real = real;
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
  public String fragments(long lengthInBytes) {
    return real.fragments(lengthInBytes);
  }

  @Override
  public long allocate(long lengthInBytes) {
    if (faults.strikes(Faults.Kind.ALLOCATION)) {
      return 0;
    }
    long open = openBytes.addAndGet(lengthInBytes);
    excess.accumulateAndGet(open - limitInBytes, Math::max);
    long address = real.allocate(lengthInBytes);
    if (address == 0) {
      openBytes.addAndGet(-lengthInBytes);
    } else {
      overwrite(address, lengthInBytes, NEW);
    }
    return address;
  }

  @Override
  public void free(long address, long lengthInBytes) {
    openBytes.addAndGet(-lengthInBytes);
    overwrite(address, lengthInBytes, FREE);
    real.free(address, lengthInBytes);
  }

  /** Memory of a device is not ours to write to. */
  private void overwrite(long address, long lengthInBytes, byte value) {
    if (real.tier() != MemoryTier.DEVICE) {
      Memory.fill(address, lengthInBytes, value);
    }
  }

  @Override
  public void fill(long address, long lengthInBytes, byte value) {
    real.fill(address, lengthInBytes, value);
  }

  @Override
  public void checkUsable() {
    real.checkUsable();
  }
}
