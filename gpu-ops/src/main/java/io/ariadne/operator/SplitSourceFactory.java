package io.ariadne.operator;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Creates the {@link SplitSource} of one scan, once per execution. Each task has its own factory.
 */
@FunctionalInterface
public interface SplitSourceFactory {
  /**
   * Creates a source; reads nothing yet.
   *
   * @param context the source's surroundings
   * @param counters returns the counter of a name, always the same for the same name; any thread
   *     may add to it. A scan counts what goes beyond rows, batches, bytes and time.
   * @return a source owned by the caller
   */
  SplitSource create(OperatorContext context, Function<String, LongAdder> counters);
}
