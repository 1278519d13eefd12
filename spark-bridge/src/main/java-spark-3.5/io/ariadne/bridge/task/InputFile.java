package io.ariadne.bridge.task;

/**
 * The file a task reads, as line 3.5 has it: holders cannot be shared, so the file of the moment is
 * copied.
 */
final class InputFile {
  private InputFile() {}

  /** Returns the file the calling thread reads now. */
  static Object current() {
    return InputFileBlock.current();
  }

  /** Gives the calling thread a holder of its own for what {@link #current} returned. */
  static void install(Object file) {
    ((InputFileBlock) file).install();
  }
}
