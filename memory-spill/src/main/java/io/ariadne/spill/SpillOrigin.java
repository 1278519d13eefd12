package io.ariadne.spill;

import io.ariadne.event.WorkOwner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The placement and work of a spilled batch. A store that moves the batch to another tier evicts by
 * the placement and reports to the work, whichever thread moves the batch.
 *
 * @param placement how soon the batch is needed; may be called until the batch is gone
 * @param work the work that the batch belongs to, or null
 * @param node plan node of that work, or -1
 * @param readBackBytes counts what is read back, for {@link SpillableBatch#takeReadBackBytes}
 */
public record SpillOrigin(
    SpillPlacement placement, WorkOwner work, int node, AtomicLong readBackBytes) {
  /** The origin of a batch without known work. */
  public static final SpillOrigin UNKNOWN = of(SpillPlacement.at(0, true), null, -1);

  /** Returns the origin of a batch that was not read back yet. */
  static SpillOrigin of(SpillPlacement placement, WorkOwner work, int node) {
    return new SpillOrigin(placement, work, node, new AtomicLong());
  }
}
