package io.ariadne.spill;

/** Is told how spillable batches change; called by any thread, without the lock of the batch. */
interface BatchOwner {
  /** The batch has nothing left to free in memory; called once. */
  void gone(SpillableBatch batch);

  /** The batch may be moved again. */
  void idle(SpillableBatch batch);

  /**
   * The batch should be read back ahead of its use. Called again when the batch has left memory
   * since.
   *
   * @param whenInMemory as of {@link SpillableBatch#prefetch(Runnable)}
   */
  default void wanted(SpillableBatch batch, Runnable whenInMemory) {
    // reads nothing ahead
  }

  /** A move or read of the batch has failed: the batch is where it was before. */
  default void stays(SpillableBatch batch) {
    // reads nothing ahead
  }

  /** A reader has come to a wanted batch. */
  default void used(SpillableBatch batch) {
    // reads nothing ahead
  }
}
