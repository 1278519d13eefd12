/**
 * Concatenation: {@link io.ariadne.columnar.concat.RowConcatenator} concatenates row ranges of
 * batches, {@link io.ariadne.columnar.concat.ColumnConcatenator} row ranges of columns ({@link
 * io.ariadne.columnar.concat.ColumnSlice}).
 *
 * <p>{@link io.ariadne.columnar.concat.ConcatenationPolicy} says whether the result shares heaps
 * and dictionaries with its sources or holds only what its rows need. {@link
 * io.ariadne.columnar.concat.DictionaryLookup} decodes dictionary columns: plain Java by default, a
 * kernel where the caller has one.
 *
 * <p>All columns are in host memory. May depend on {@code columnar}, {@code columnar.buffer},
 * {@code columnar.builder}, {@code columnar.type} and {@code error}.
 */
package io.ariadne.columnar.concat;
