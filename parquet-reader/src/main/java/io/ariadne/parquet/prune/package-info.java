/**
 * Skips rows that cannot match a predicate: row groups by statistics, bloom filters and
 * dictionaries, pages by their indexes. Enter at {@link io.ariadne.parquet.prune.ScanPruner}.
 *
 * <p>A predicate is evaluated on what is known about the values of many rows at once. Its result is
 * a set of truth values that contains the value of every row. Where little is known the set is
 * large, so no matching row is ever skipped.
 *
 * <p>May depend on {@code parquet.metadata}, {@code parquet.schema}, {@code expression} and {@code
 * columnar.type}. Must not know pages, decoding, Hadoop or Spark, and does no I/O.
 */
package io.ariadne.parquet.prune;
