package io.ariadne.bridge.file;

import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Vectored reads of Hadoop, which Spark 3.5 does not bring: its Hadoop is 3.3.4, they came with
 * 3.3.5. Every line has a class of this name with the same methods.
 */
final class VectoredLine {
  private VectoredLine() {}

  /** Returns a stream's vectored reads: none. */
  static VectoredStream of(FSDataInputStream stream) {
    return null;
  }
}
