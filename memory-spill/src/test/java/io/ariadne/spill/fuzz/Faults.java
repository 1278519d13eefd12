package io.ariadne.spill.fuzz;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/**
 * Which calls of the system fail: of each kind the n-th, where n is drawn anew after each failure.
 * Thread-safe.
 */
public final class Faults implements FaultPlan {
  /** What may fail. */
  public enum Kind {
    /** Memory of the operating system. */
    ALLOCATION,
    /** Making a spill file. */
    OPEN,
    /** Writing to one. */
    WRITE,
    /** Reading from one. */
    READ
  }

  private final Random random;
  private final int meanCalls;
  private final Map<Kind, Integer> callsLeft = new EnumMap<>(Kind.class);
  private int count;
  private boolean ended;

  /**
   * Draws the first failures.
   *
   * @param random what draws
   * @param meanCalls calls of a kind for one that fails, on average; 0 for no failures
   */
  public Faults(Random random, int meanCalls) {
    this.random = random;
    this.meanCalls = meanCalls;
    this.ended = meanCalls == 0;
    for (Kind kind : Kind.values()) {
      callsLeft.put(kind, draw());
    }
  }

  private int draw() {
    return 1 + (meanCalls == 0 ? 0 : random.nextInt(2 * meanCalls));
  }

  @Override
  public synchronized boolean strikes(Kind kind) {
    if (ended || callsLeft.merge(kind, -1, Integer::sum) > 0) {
      return false;
    }
    callsLeft.put(kind, draw());
    count++;
    return true;
  }

  /** Returns calls that have failed. */
  public synchronized int count() {
    return count;
  }

  /** Lets everything succeed from now on. */
  public synchronized void end() {
    ended = true;
  }
}
