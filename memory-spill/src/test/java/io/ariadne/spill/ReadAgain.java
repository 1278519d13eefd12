package io.ariadne.spill;

/**
 * The placement of a batch with several readers, for which no task runs.
 *
 * @param distanceToUse the order among such batches
 */
record ReadAgain(int distanceToUse) implements SpillPlacement {
  @Override
  public boolean isActive() {
    return false;
  }

  @Override
  public boolean isReadAgain() {
    return true;
  }
}
