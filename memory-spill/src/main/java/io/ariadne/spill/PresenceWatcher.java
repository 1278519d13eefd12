package io.ariadne.spill;

/** Is told whether a {@link SpillableBatch} is in memory, for example to sum up many batches. */
public interface PresenceWatcher {
  /** Whether a batch's bytes are in memory. */
  enum Presence {
    /** In memory, and may be moved away. */
    MOVABLE,
    /** In memory and read by at least one thread, so that it stays there. */
    IN_USE,
    /** Moving, in another tier or gone. */
    AWAY
  }

  /**
   * Notes a change; a batch starts {@link Presence#AWAY}. Called once for each change, in order, by
   * any thread under the batch's lock: returns at once, takes no lock that is held while batches
   * are used, and calls nothing of the batch.
   */
  void became(Presence presence);
}
