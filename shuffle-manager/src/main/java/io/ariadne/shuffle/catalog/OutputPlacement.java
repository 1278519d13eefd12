package io.ariadne.shuffle.catalog;

import io.ariadne.spill.SpillPlacement;

/**
 * The placement of a map output's batch. No running task works on it, and reduce tasks read it at
 * different times, each its own rows.
 *
 * @param distanceToUse the order among map outputs
 */
record OutputPlacement(int distanceToUse) implements SpillPlacement {
  @Override
  public boolean isActive() {
    return false;
  }

  @Override
  public boolean onlyComesNearer() {
    return true;
  }

  @Override
  public boolean isReadAgain() {
    return true;
  }
}
