package io.ariadne.bridge.task;

import org.apache.spark.rdd.InputFileBlockHolder$;

/**
 * Spark's holder of the file that a task reads, for lines 4.x. Threads can share it. <p>{@code
 * InputFileBlockHolder.getThreadLocalValue} and {@code setThreadLocalValue} are private[spark],
 * but public in bytecode.
 */
final class InputFile {
  private InputFile() {}

  /** Returns the calling thread's holder. */
  static Object current() {
    return InputFileBlockHolder$.MODULE$.getThreadLocalValue();
  }

  /** Installs a holder that {@link #current} returned on any thread. */
  static void install(Object holder) {
    InputFileBlockHolder$.MODULE$.setThreadLocalValue(holder);
  }
}
