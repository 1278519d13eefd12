package io.ariadne.shuffle.catalog;

import io.ariadne.spill.SpillableBatch;

/**
 * A spillable batch with rows of a map output in the order of their places. Thread-safe, as the
 * batch is.
 *
 * @param batch owned by the map output
 * @param firstPlace a place before which the batch has no rows
 * @param firstRows the first row of each place from {@code firstPlace} on, then the number of rows
 * @param sizeInBytes approximate bytes of the batch in memory
 */
record MapOutputBatch(SpillableBatch batch, int firstPlace, int[] firstRows, long sizeInBytes) {
  /**
   * Frees the batch when it has no readers. Idempotent: a drop of the output and the end of its
   * last reader may both free it.
   */
  void free() {
    batch.close();
  }

  /** Returns the place behind the last one in {@code firstRows}. */
  int endPlace() {
    return firstPlace + firstRows.length - 1;
  }

  /** Returns the first row of a place, or of the places after it when it has no rows. */
  int firstRow(int place) {
    int index = Math.max(0, Math.min(place - firstPlace, firstRows.length - 1));
    return firstRows[index];
  }

  /** Returns the approximate bytes of a number of its rows; 0 only for no rows. */
  long bytesOf(int rows) {
    return rows == 0 ? 0 : Math.max(1, (long) ((double) sizeInBytes * rows / batch.rowCount()));
  }
}
