package io.ariadne.spill;

import io.ariadne.event.WorkOwner;

/**
 * Where a batch at rest comes from: what a tier that moves it on goes by and tells, whichever
 * thread moved it there.
 *
 * @param placement where it lies in the work of the process; may be asked until the batch is gone
 * @param work whose it is, or null
 * @param node for which plan node of that, or -1
 */
public record SpillOrigin(SpillPlacement placement, WorkOwner work, int node) {
  /** That of a batch of which nothing is known. */
  public static final SpillOrigin UNKNOWN = new SpillOrigin(SpillPlacement.at(0, true), null, -1);
}
