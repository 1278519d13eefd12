package io.ariadne.spill;

/**
 * Says how soon a batch is needed, which decides the order of eviction.
 *
 * <p>Any thread calls the methods, at any time and under locks of the spill space. They return at
 * once and take no locks.
 */
public interface SpillPlacement {
  /**
   * Distance up to which batches of active partitions are needed soon. Such batches are moved only
   * when a thread lacks memory, not in advance.
   */
  int NEAR = 128;

  /** Returns whether the batch is needed soon. */
  default boolean isNear() {
    return isActive() && distanceToUse() <= NEAR;
  }

  /**
   * Returns how long the batch will not be needed: 0 for the input of a running task, larger the
   * further its consumer is from running. Only comparisons within one process have a meaning. May
   * change over time.
   */
  int distanceToUse();

  /** Returns whether a task works on the batch's partition; inactive partitions go first. */
  boolean isActive();

  /**
   * Returns whether the use of the batch never becomes more distant: {@link #distanceToUse} does
   * not grow and {@link #isActive} does not become false. Always the same value. An eviction then
   * need not look at the placements of all batches; {@code false} is always correct.
   */
  default boolean onlyComesNearer() {
    return false;
  }

  /**
   * Returns whether the batch has several readers, at different times. Always the same value. Its
   * bytes then stay on disk when it is read back, so that its next move needs no write. Of other
   * batches they are deleted, because a batch whose move costs nothing is moved too often.
   */
  default boolean isReadAgain() {
    return false;
  }

  /** Returns a placement that does not change. */
  static SpillPlacement at(int distanceToUse, boolean active) {
    return new SpillPlacement() {
      @Override
      public int distanceToUse() {
        return distanceToUse;
      }

      @Override
      public boolean isActive() {
        return active;
      }

      @Override
      public boolean onlyComesNearer() {
        return true;
      }
    };
  }
}
