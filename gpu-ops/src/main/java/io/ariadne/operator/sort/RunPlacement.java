package io.ariadne.operator.sort;

import io.ariadne.spill.SpillPlacement;

/**
 * Says when the merge needs a batch of a sorted run, which decides when the batch is evicted.
 * Before a split of the merge opens the batch, it counts as needed last. Afterwards it counts as
 * needed next, because the following split continues in the same batch.
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
