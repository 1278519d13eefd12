package io.ariadne.operator.sort;

import io.ariadne.columnar.RecordBatch;

/**
 * Neighbouring rows of a batch.
 *
 * @param batch in host memory; stays its owner's
 * @param first the first row
 * @param count how many
 */
record Piece(RecordBatch batch, int first, int count) {
  /** Returns all rows of a batch. */
  static Piece of(RecordBatch batch) {
    return new Piece(batch, 0, batch.rowCount());
  }
}
