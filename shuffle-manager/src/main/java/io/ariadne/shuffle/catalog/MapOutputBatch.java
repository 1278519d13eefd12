package io.ariadne.shuffle.catalog;

import io.ariadne.spill.SpillableBatch;

/**
 * Rows of a map output that rest as one batch, in the order of their places. Thread-safe, as the
 * batch is.
 *
 * @param batch owned by the map output
 * @param firstPlace the first place it has rows of, about
 * @param firstRows the first row of each place from there on, and at the end the number of rows
 * @param sizeInBytes what it takes in memory, about
 */
record MapOutputBatch(SpillableBatch batch, int firstPlace, int[] firstRows, long sizeInBytes) {
  /**
   * Frees it when nobody reads it any more. Idempotent: its output may be dropped and its last
   * reader end at the same time.
   */
  void free() {
    batch.close();
  }

  /** Returns the place behind the last it has rows of. */
  int endPlace() {
    return firstPlace + firstRows.length - 1;
  }

  /** Returns the first row of a place, or of those behind it. */
  int firstRow(int place) {
    int index = Math.max(0, Math.min(place - firstPlace, firstRows.length - 1));
    return firstRows[index];
  }

  /** Returns what so many rows of it take, about; not 0 for rows. */
  long bytesOf(int rows) {
    return rows == 0 ? 0 : Math.max(1, (long) ((double) sizeInBytes * rows / batch.rowCount()));
  }
}
