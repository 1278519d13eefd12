package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.spill.PresenceWatcher;
import io.ariadne.spill.Revocable;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillSpace;
import io.ariadne.spill.SpillableBatch;
import java.util.function.LongSupplier;

/**
 * Reports a capacity and moves nothing: for tests of the sizes that operators derive from it.
 *
 * @param capacityInBytes the capacity
 */
public record LimitedSpillSpace(long capacityInBytes) implements SpillSpace {
  private static final SpillSpace UNMOVED = SpillSpace.unmoved(MemoryTier.HOST);

  @Override
  public SpillableBatch add(RecordBatch batch, SpillPlacement placement, PresenceWatcher watcher) {
    return UNMOVED.add(batch, placement, watcher);
  }

  @Override
  public Revocable revocable(SpillPlacement placement, Revocable.Holder holder) {
    return UNMOVED.revocable(placement, holder);
  }

  @Override
  public long makeRoom(LongSupplier missing) {
    return UNMOVED.makeRoom(missing);
  }

  @Override
  public long excessBytes() {
    return UNMOVED.excessBytes();
  }

  /**
   * Returns a context on host memory of this capacity.
   *
   * @param context gives allocators and back end
   * @param threads how many threads share the memory
   */
  public OperatorContext context(OperatorContext context, int threads) {
    return new OperatorContext(
        context.allocator(),
        context.kernelAllocator(),
        context.backend(),
        context.cancelled(),
        context.errorReplay(),
        this,
        this,
        threads);
  }
}
