package io.ariadne.operator;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** Makes the {@link SplitSource} of one scan, once per execution; made by the task for itself. */
@FunctionalInterface
public interface SplitSourceFactory {
  /**
   * Creates a source; reads nothing yet.
   *
   * @param context where memory comes from and how cancellation is seen
   * @param figures gives a counter by its name, the same for the same name, to be added to by any
   *     thread: what a scan counts beyond rows, batches, bytes and time
   * @return a source owned by the caller
   */
  SplitSource create(OperatorContext context, Function<String, LongAdder> figures);
}
