package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;

/** Closes the parts of a nested column that could not be completed. */
final class NestedParts {
  private NestedParts() {}

  /**
   * Closes parts, any of which may be null, after a failure. The failure stays the caller's to
   * throw; exceptions of closing are suppressed in it.
   */
  static void closeAfter(
      Throwable failure, MemoryBuffer data, MemoryBuffer validity, List<ColumnVector> children) {
    Closer closer = new Closer();
    closer.close(data);
    closer.close(validity);
    children.forEach(closer::close);
    closer.suppressIn(failure);
  }
}
