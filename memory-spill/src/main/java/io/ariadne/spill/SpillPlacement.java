package io.ariadne.spill;

/** Where in the work of the process a batch lies: what the order of eviction goes by. */
public interface SpillPlacement {
  /**
   * Distance up to which batches of active partitions are needed so soon that they are moved only
   * for somebody who lacks memory, not so that nobody will.
   */
  int NEAR = 128;

  /** Returns whether it is needed that soon. */
  default boolean isNear() {
    return isActive() && distanceToUse() <= NEAR;
  }

  /**
   * Returns how long the batch will not be needed: 0 for the input of a running task, larger the
   * further its consumer is from running. Only comparisons within one process have a meaning. May
   * change over time.
   */
  int distanceToUse();

  /** Returns whether its partition is being worked on; those that are not go first. */
  boolean isActive();

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
    };
  }
}
