package io.ariadne.bridge.task;

import org.apache.spark.rdd.InputFileBlockHolder;

/**
 * The file a task reads, as line 3.5 has it: holders cannot be shared, so the file of the moment is
 * copied.
 */
final class InputFile {
  private record Block(String path, long start, long length) {}

  private InputFile() {}

  /** Returns the file the calling thread reads now. */
  static Object current() {
    return new Block(
        InputFileBlockHolder.getInputFilePath().toString(),
        InputFileBlockHolder.getStartOffset(),
        InputFileBlockHolder.getLength());
  }

  /** Gives the calling thread a holder of its own for what {@link #current} returned. */
  static void install(Object file) {
    // A holder inherited from the thread that started this one must not be written to.
    InputFileBlockHolder.unset();
    Block block = (Block) file;
    if (block.start >= 0) {
      InputFileBlockHolder.set(block.path, block.start, block.length);
    }
  }
}
