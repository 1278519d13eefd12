package io.ariadne.operator.sort;

import io.ariadne.spill.SpillPlacement;

/**
 * Where a batch of a sorted run lies in the work: behind everything until a merge has opened it,
 * then next, as the split after that will read on where that one ends.
 */
final class RunPlacement implements SpillPlacement {
  private volatile boolean isOpen;

  /** Notes that rows of the batch have been asked for. */
  void open() {
    isOpen = true;
  }

  @Override
  public int distanceToUse() {
    return isOpen ? 1 : NEAR + 1;
  }

  @Override
  public boolean isActive() {
    return isOpen;
  }

  @Override
  public boolean onlyComesNearer() {
    return true;
  }
}
