/**
 * Decodes the streams of pages to columns of batches, with the decode kernels.
 *
 * <p>{@link io.ariadne.parquet.column.FlatColumnDecoder} decodes windows of rows of one column
 * chunk in up to four steps, each one launch over all pages of the window: levels to validity,
 * encoded values to dense values, ids to dictionary entries, dense values to rows. {@link
 * io.ariadne.parquet.column.DecodeContext} holds what the columns of one row group share.
 *
 * <p>May depend on {@code columnar}, {@code gpu-ops} and {@code parquet.page}. Knows nothing of
 * files' schemas, statistics or predicates.
 */
package io.ariadne.parquet.column;
