package io.ariadne.bridge.task;

/**
 * Spark's record of the file that a task reads, for line 3.5. Threads cannot share the holder,
 * so its current content is copied.
 */
final class InputFile {
  private InputFile() {}

  /** Returns the file that the calling thread reads now. */
  static Object current() {
    return InputFileBlock.current();
  }

  /** Gives the calling thread its own holder with what {@link #current} returned. */
  static void install(Object file) {
    ((InputFileBlock) file).install();
  }
}
