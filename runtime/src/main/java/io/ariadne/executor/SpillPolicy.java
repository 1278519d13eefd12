package io.ariadne.executor;

import io.ariadne.spill.EvictionPolicy;
import io.ariadne.spill.PlanOrderEviction;
import java.util.Objects;

/**
 * Decides when spillable batches leave a memory space and when they come back; immutable.
 *
 * @param order which batches leave first
 * @param highMark fraction of the limit above which batches are spilled before an allocation is
 *     refused, 0 to 1
 * @param lowMark fraction of the limit down to which batches are spilled then, at most {@code
 *     highMark}; above it memory counts as scarce
 * @param prefetches whether spilled batches are read back ahead of their use
 */
public record SpillPolicy(
    EvictionPolicy order, double highMark, double lowMark, boolean prefetches) {
  /** The policy outside of tests and measurements. */
  public static final SpillPolicy DEFAULT =
      new SpillPolicy(new PlanOrderEviction(), 0.95, 0.90, true);

  /** Checks that there is an order; {@code SpillController} checks the marks. */
  public SpillPolicy {
    Objects.requireNonNull(order, "order is null");
  }
}
