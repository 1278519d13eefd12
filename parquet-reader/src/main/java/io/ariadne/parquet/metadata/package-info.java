/**
 * Reads the metadata of Parquet files: footers ({@link io.ariadne.parquet.metadata.FooterReader}),
 * page headers, page indexes, statistics and bloom filters, and caches footers.
 *
 * <p>Files are hostile. Every length, offset, count and depth is checked before it is used, and
 * allocations are bounded by the bytes that are really there. Errors are {@code CORRUPT_DATA} and
 * name file and offset.
 *
 * <p>May depend on {@code io}, {@code columnar.buffer} and {@code error}. Must not know requested
 * schemas, predicates, kernels, Hadoop or Spark.
 */
package io.ariadne.parquet.metadata;
