package io.ariadne.rules.partial;

import java.util.HashSet;
import java.util.Set;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkContext;

/**
 * Removes the shuffles of rounds when they are no longer read, without waiting for garbage
 * collections of Spark's driver.
 *
 * <p>A removed shuffle stays part of the lineage of later ones. When an executor with the later
 * one's map outputs is lost, Spark registers the removed one again, and repeats its map tasks. So
 * removed shuffles are looked at again after every round, and at the end.
 *
 * <p>No job that reads the shuffles may run meanwhile: Spark's scheduler expects the shuffles of
 * the stages of a running job to be registered. Used by one thread at a time.
 */
final class RoundShuffles {
  private final SparkContext context;
  private final Set<Integer> all = new HashSet<>();

  RoundShuffles(SparkContext context) {
    this.context = context;
  }

  /** Adds a shuffle, which is removed unless it is retained. */
  void add(int shuffleId) {
    all.add(shuffleId);
  }

  /**
   * Removes the map outputs of all other shuffles.
   *
   * @param shuffleIds the shuffles that are still read
   */
  void retain(Set<Integer> shuffleIds) {
    for (int shuffleId : all) {
      if (!shuffleIds.contains(shuffleId) && hasOutputs(shuffleId)) {
        remove(shuffleId, false);
      }
    }
  }

  /** Removes all shuffles, and returns when executors have freed the map outputs. */
  void removeAll() {
    if (!context.isStopped()) {
      all.forEach(shuffleId -> remove(shuffleId, true));
    }
    all.clear();
  }

  private boolean hasOutputs(int shuffleId) {
    return tracker().containsShuffle(shuffleId) && tracker().getNumAvailableOutputs(shuffleId) > 0;
  }

  private void remove(int shuffleId, boolean isAwaited) {
    if (context.cleaner().isDefined()) {
      // Logs what fails, as when it removes a shuffle that is garbage.
      context.cleaner().get().doCleanupShuffle(shuffleId, isAwaited);
    } else if (tracker().containsShuffle(shuffleId)) {
      context.shuffleDriverComponents().removeShuffle(shuffleId, isAwaited);
      tracker().unregisterShuffle(shuffleId);
    }
  }

  private MapOutputTrackerMaster tracker() {
    return (MapOutputTrackerMaster) context.env().mapOutputTracker();
  }
}
