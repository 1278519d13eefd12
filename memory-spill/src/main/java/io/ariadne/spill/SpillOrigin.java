package io.ariadne.spill;

import io.ariadne.event.WorkOwner;

/**
 * The placement and work of a spilled batch. A store that moves the batch to another tier evicts by
 * the placement and reports to the work, whichever thread moves the batch.
 *
 * @param placement how soon the batch is needed; may be called until the batch is gone
 * @param work the work that the batch belongs to, or null
 * @param node plan node of that work, or -1
 */
public record SpillOrigin(SpillPlacement placement, WorkOwner work, int node) {
  /** The origin of a batch without known work. */
  public static final SpillOrigin UNKNOWN = new SpillOrigin(SpillPlacement.at(0, true), null, -1);
}
