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
   * @param context the context of the source
   * @param counters returns the counter of a name, always the same for the same name; any thread
   *     may add to it. A scan counts its own statistics, which are not rows, batches, bytes or time
   * @return a source owned by the caller
   */
  SplitSource create(OperatorContext context, Function<String, LongAdder> counters);
}
