package io.ariadne.bridge.task;

import org.apache.spark.rdd.InputFileBlockHolder$;

/**
 * The holder of the file a task reads, as lines 4.x have it: one per task, which threads can share.
 *
 * <p>{@code InputFileBlockHolder.getThreadLocalValue} and {@code setThreadLocalValue} are
 * private[spark], public in bytecode.
 */
final class InputFile {
  private InputFile() {}

  /** Returns the calling thread's holder. */
  static Object current() {
    return InputFileBlockHolder$.MODULE$.getThreadLocalValue();
  }

  /** Gives the calling thread a holder that {@link #current} returned, on any thread. */
  static void install(Object holder) {
    InputFileBlockHolder$.MODULE$.setThreadLocalValue(holder);
  }
}
