package io.ariadne.kernel.join;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;

/**
 * The build rows of each group, in kernel memory.
 *
 * @param starts for each group a 32-bit number, where its rows begin in {@code rows}; one more for
 *     the end
 * @param rows 32-bit row numbers in the order of their groups
 */
public record JoinChains(MemoryBuffer starts, MemoryBuffer rows) implements AutoCloseable {
  /** Returns a number that is greater than all group numbers. */
  public int groupBound() {
    return Math.toIntExact(starts.lengthInBytes() / Integer.BYTES - 1);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(starts);
    closer.close(rows);
    closer.rethrow();
  }
}
