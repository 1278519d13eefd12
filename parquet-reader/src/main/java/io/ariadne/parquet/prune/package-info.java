/**
 * Leaves out what cannot match: row groups by statistics, bloom filters and dictionaries, pages by
 * their indexes. Enter at {@link io.ariadne.parquet.prune.ScanPruner}.
 *
 * <p>A predicate is evaluated on what is known of the values of many rows at once: its result is
 * the set of truth values that some row may have. Where little is known the set is large; it never
 * misses one that a row has, so nothing that matches is left out.
 *
 * <p>May depend on {@code parquet.metadata}, {@code parquet.schema}, {@code expression} and {@code
 * columnar.type}. Must not know pages, decoding, Hadoop or Spark, and does no I/O.
 */
package io.ariadne.parquet.prune;
