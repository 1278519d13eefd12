package io.ariadne.shuffle.strategy;

import java.util.Locale;

/**
 * How the rows of a shuffle get from map tasks to reduce tasks. These are the strategies of
 * Exoshuffle (Luan et al., SIGCOMM 2023). All use the same transport and the same map outputs; they
 * differ in what is copied before reduce tasks ask for it.
 */
public enum ShuffleStrategy {
  /** Reduce tasks read map outputs where map tasks have left them. */
  SIMPLE(false, false),

  /**
   * Each executor merges its own map outputs by partition and drops them, so that a partition is in
   * few places on disk. Exoshuffle's pre-merge.
   */
  MERGE(false, true),

  /**
   * While map tasks run, executors copy map outputs to those that will run the reduce tasks, which
   * merge them. The map outputs stay: a lost executor costs only what it has computed.
   */
  PUSH(true, false),

  /**
   * As {@link #PUSH}, but a map output is dropped when it is copied, so that its rows are written
   * to one disk only. A lost executor costs all map tasks. Exoshuffle's push*.
   */
  MOVE(true, true);

  private final boolean sendsToOwners;
  private final boolean dropsOutputs;

  ShuffleStrategy(boolean sendsToOwners, boolean dropsOutputs) {
    this.sendsToOwners = sendsToOwners;
    this.dropsOutputs = dropsOutputs;
  }

  /** Returns whether map outputs are copied to the owners of their partitions. */
  public boolean sendsToOwners() {
    return sendsToOwners;
  }

  /** Returns whether a map output is given up when it is copied. */
  public boolean dropsOutputs() {
    return dropsOutputs;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
