package io.ariadne.spill.fuzz;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Which calls of the system fail: of each kind the n-th, where n is drawn anew after each failure.
 * A call that is made again succeeds, unless another failure is drawn for it; but some requests of
 * memory fail in bursts, which outlast the pool's retries: the next calls of the same thread fail,
 * too. Thread-safe.
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

  private static final int MOST_TOLD = 16;

  /** One in so many failures of memory begins a burst. */
  private static final int BURST_RARITY = 3;

  /** More calls than a pool makes for one request that is retried for up to 100 ms. */
  private static final int BURST_CALLS = 12;

  private final Map<Kind, Integer> callsLeft = new EnumMap<>(Kind.class);
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
  private final List<Throwable> struck = new ArrayList<>();
  private Random random = new Random(0);
  private int meanCalls;
  private int left;

  /** Whose calls fail, and how many more; null when there is no burst. */
  private Thread burstOn;

  private int burstLeft;

  /** Creates faults of which there are none until they {@link #begin}. */
  public Faults() {}

  /**
   * Draws the first failures; there is no end to them.
   *
   * @param random what draws
   * @param meanCalls calls of a kind per failing call, on average; 0 for no failures
   */
  public Faults(Random random, int meanCalls) {
    begin(random, meanCalls, meanCalls == 0 ? 0 : Integer.MAX_VALUE);
  }

  /**
   * Draws the first failures, and forgets {@link #struck what was before}.
   *
   * @param source what draws
   * @param mean calls of a kind per failing call, on average, at least 1
   * @param atMost how many calls fail, of each burst only the first counted
   */
  public synchronized void begin(Random source, int mean, int atMost) {
    random = source;
    meanCalls = mean;
    left = atMost;
    burstOn = null;
    struck.clear();
    for (Kind kind : Kind.values()) {
      callsLeft.put(kind, draw());
    }
  }

  private int draw() {
    return 1 + (meanCalls == 0 ? 0 : random.nextInt(2 * meanCalls));
  }

  @Override
  public synchronized boolean strikes(Kind kind) {
    if (kind == Kind.ALLOCATION && burstOn == Thread.currentThread()) {
      burstOn = --burstLeft == 0 ? null : burstOn;
      return true;
    }
    if (left == 0 || callsLeft.merge(kind, -1, Integer::sum) > 0) {
      return false;
    }
    callsLeft.put(kind, draw());
    counts.merge(kind, 1, Integer::sum);
    left--;
    if (kind == Kind.ALLOCATION && burstOn == null && random.nextInt(BURST_RARITY) == 0) {
      burstOn = Thread.currentThread();
      burstLeft = BURST_CALLS - 1;
    }
    if (struck.size() < MOST_TOLD) {
      struck.add(new Throwable(kind + " on " + Thread.currentThread().getName()));
    }
    return true;
  }

  /** Returns calls that have failed, ever; of each burst only the first is counted. */
  public synchronized int count() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns the same by kind; kinds of which none has are not there. */
  public synchronized Map<Kind, Integer> counts() {
    return new EnumMap<>(counts);
  }

  /** Returns which calls have failed since the beginning, with their stacks: the first of them. */
  public synchronized List<Throwable> struck() {
    return List.copyOf(struck);
  }

  /** Lets all further calls succeed. */
  public synchronized void end() {
    left = 0;
    burstOn = null;
  }
}
