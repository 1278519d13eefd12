package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;

/**
 * A list of row pairs, in memory that kernels see.
 *
 * @param probeRows 32-bit row numbers of the probe batch
 * @param buildRows 32-bit row numbers of the build side
 * @param count how many
 */
record Pairs(MemoryBuffer probeRows, MemoryBuffer buildRows, int count) implements AutoCloseable {
  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(probeRows);
    closer.close(buildRows);
    closer.rethrow();
  }
}
