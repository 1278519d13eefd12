package io.ariadne.rules.broadcast;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.Schema;

/** A broadcast value that holds its rows as columns. */
public interface BroadcastColumns {
  /**
   * Returns all rows.
   *
   * @param schema their columns, as the reader's plan has them
   * @param allocator host memory of the batches
   * @return owned by the caller
   */
  BatchSource batches(Schema schema, BufferAllocator allocator);
}
