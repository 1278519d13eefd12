package io.ariadne.parquet.column;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.List;

/**
 * A window of rows of one leaf: its levels and the location of its values.
 *
 * @param entries number of levels
 * @param repetition repetition levels, a byte each; null when all are 0
 * @param definition definition levels, a byte each
 * @param parts parts of pages that contain values, in order
 * @param values number of values in the parts
 */
record LeafWindow(
    int entries,
    MemoryBuffer repetition,
    MemoryBuffer definition,
    List<PageWindow> parts,
    int values)
    implements AutoCloseable {
  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(repetition);
    closer.close(definition);
    closer.rethrow();
  }
}
