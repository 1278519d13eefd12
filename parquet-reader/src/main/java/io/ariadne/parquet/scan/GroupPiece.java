package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.parquet.metadata.RowGroup;

/**
 * A row group to read, or a part of one.
 *
 * @param group the row group
 * @param filters whether the predicate has to be evaluated; false when the statistics prove that it
 *     is true for all rows of the row group
 * @param heldBytes memory that reading it takes
 * @param part which rows, null for all rows that may match
 * @param prefetched the pages that are read ahead, null when none are
 */
record GroupPiece(
    RowGroup group,
    boolean filters,
    long heldBytes,
    DividedGroup.Part part,
    PrefetchedGroup prefetched) {
  /** Returns the first row that will be read. */
  long firstRow() {
    return part == null ? 0 : Math.max(part.windows().firstFrom(0), 0);
  }

  /** Returns this piece with pages that are read ahead, which it then owns. */
  GroupPiece with(PrefetchedGroup pages) {
    return new GroupPiece(group, filters, heldBytes, part, pages);
  }

  /** Releases what the parts of the row group share, and the pages. */
  void release() {
    Closer closer = new Closer();
    closer.close(prefetched);
    if (part != null) {
      closer.close(part.group()::release);
    }
    closer.rethrow();
  }
}
