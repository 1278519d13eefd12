package io.ariadne.bridge.task;

import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The part of a file that a thread reads, as Spark's holder states it.
 *
 * @param path the file, empty for none
 * @param start first byte, -1 for none
 * @param length number of bytes, -1 when unknown
 */
record InputFileBlock(UTF8String path, long start, long length) {
  /** Returns what the calling thread's holder states. */
  static InputFileBlock current() {
    return new InputFileBlock(
        InputFileBlockHolder.getInputFilePath(),
        InputFileBlockHolder.getStartOffset(),
        InputFileBlockHolder.getLength());
  }

  /**
   * Returns whether the calling thread's holder states this block. Cheaper than comparing with
   * {@link #current}.
   */
  boolean isCurrent() {
    return start == InputFileBlockHolder.getStartOffset()
        && path.equals(InputFileBlockHolder.getInputFilePath());
  }

  /** Gives the calling thread its own holder with this block. */
  void install() {
    // A holder inherited from the thread that started this one must not be changed.
    InputFileBlockHolder.unset();
    if (start >= 0) {
      InputFileBlockHolder.set(path.toString(), start, length);
    }
  }
}
