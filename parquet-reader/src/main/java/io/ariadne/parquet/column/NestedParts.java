package io.ariadne.parquet.column;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;

/** Parts of a nested column that has not been put together. */
final class NestedParts {
  private NestedParts() {}

  /** Closes parts, any of which may be null, after a failure that goes on to the caller. */
  static void closeAfter(
      Throwable failure, MemoryBuffer data, MemoryBuffer validity, List<ColumnVector> children) {
    Closer closer = new Closer();
    closer.close(data);
    closer.close(validity);
    children.forEach(closer::close);
    closer.suppressIn(failure);
  }
}
