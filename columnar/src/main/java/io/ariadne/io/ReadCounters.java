package io.ariadne.io;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Counts what readers ask of a storage. Shared by the readers of a scan; any thread may add.
 *
 * @param requests requests sent, repetitions and metadata requests included
 * @param bytes bytes that have arrived
 * @param retries requests repeated after a failure
 * @param hedges second requests sent because the first one was slow
 * @param throttled requests that the storage refused because there were too many
 * @param nanos nanoseconds that requests took, added up over concurrent ones
 */
public record ReadCounters(
    LongAdder requests,
    LongAdder bytes,
    LongAdder retries,
    LongAdder hedges,
    LongAdder throttled,
    LongAdder nanos) {
  /** Name of the counter of {@link #requests}. */
  public static final String REQUESTS = "requests";

  /** Name of the counter of {@link #bytes}. */
  public static final String BYTES = "requestedBytes";

  /** Name of the counter of {@link #retries}. */
  public static final String RETRIES = "retries";

  /** Name of the counter of {@link #hedges}. */
  public static final String HEDGES = "hedges";

  /** Name of the counter of {@link #throttled}. */
  public static final String THROTTLED = "throttled";

  /** Name of the counter of {@link #nanos}. */
  public static final String NANOS = "requestNanos";

  /**
   * Creates counters that are found by name.
   *
   * @param counters returns the counter of a name
   */
  public static ReadCounters of(Function<String, LongAdder> counters) {
    return new ReadCounters(
        counters.apply(REQUESTS),
        counters.apply(BYTES),
        counters.apply(RETRIES),
        counters.apply(HEDGES),
        counters.apply(THROTTLED),
        counters.apply(NANOS));
  }

  /** Creates counters of their own. */
  public static ReadCounters create() {
    return of(name -> new LongAdder());
  }
}
