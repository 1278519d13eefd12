package io.ariadne.bridge.file;

import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Hadoop's vectored reads. Spark 3.5 ships Hadoop 3.3.4, which does not have them; they came
 * with 3.3.5. Every line has a class of this name with the same methods.
 */
final class VectoredLine {
  private VectoredLine() {}

  /** Returns null: no stream has vectored reads. */
  static VectoredStream of(FSDataInputStream stream) {
    return null;
  }
}
