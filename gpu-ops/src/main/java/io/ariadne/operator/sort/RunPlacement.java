package io.ariadne.operator.sort;

import io.ariadne.spill.SpillPlacement;

/**
 * Places a batch of a sorted run in the order of eviction: needed last until a split of the merge
 * has opened it, then needed next, because the following split continues in the same batch.
 */
final class RunPlacement implements SpillPlacement {
  private volatile boolean isOpen;

  /** Says that a split has opened the batch. */
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
