package io.ariadne.parquet.scan;

import io.ariadne.parquet.metadata.RowGroup;

/**
 * A row group to read, or a part of one.
 *
 * @param group the row group
 * @param filters whether the predicate has to be evaluated; false when the statistics prove that it
 *     is true for all rows of the row group
 * @param heldBytes memory that reading it takes
 * @param part which rows, null for all rows that may match
 */
record GroupPiece(RowGroup group, boolean filters, long heldBytes, DividedGroup.Part part) {
  /** Releases what the parts of the row group share. */
  void release() {
    if (part != null) {
      part.group().release();
    }
  }
}
