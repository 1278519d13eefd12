package io.ariadne.shuffle.catalog;

import io.ariadne.spill.SpillableBatch;

/**
 * Rows of a map output that rest as one batch, in the order of their places. Thread-safe, as the
 * batch is.
 *
 * @param shuffleId whose output it is of
 * @param batch owned by the map output
 * @param firstPlace the first place it has rows of, about
 * @param firstRows the first row of each place from there on, and at the end the number of rows
 * @param sizeInBytes what it takes in memory, about
 * @param isUncut whether it is large and yet has rows of all partitions: would it be on disk, each
 *     of these would have all of it read back
 */
record KeptBatch(
    int shuffleId,
    SpillableBatch batch,
    int firstPlace,
    int[] firstRows,
    long sizeInBytes,
    boolean isUncut) {
  /** Returns bytes of memory that are free when it is moved to disk, about; a snapshot. */
  long movableBytes() {
    return batch.state() == SpillableBatch.State.IDLE && batch.isInMemory() ? sizeInBytes : 0;
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
