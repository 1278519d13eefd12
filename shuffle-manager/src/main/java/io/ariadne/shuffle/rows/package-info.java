/**
 * Rows of several batches as one batch: {@link io.ariadne.shuffle.rows.RowConcatenator} copies
 * ranges of batches behind one another; {@link io.ariadne.shuffle.rows.ColumnSlice} is such a range
 * of one column.
 *
 * <p>What comes out holds no more characters and entries of dictionaries than are worth while for
 * its rows, so that it may rest for long. May depend on {@code columnar}. Knows nothing of blocks,
 * partitions, files or tasks.
 */
package io.ariadne.shuffle.rows;
