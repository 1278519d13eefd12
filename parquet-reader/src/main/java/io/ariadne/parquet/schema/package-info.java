/**
 * Finds requested columns in a file's schema by Spark's rules: {@link
 * io.ariadne.parquet.schema.ColumnResolver} turns them into {@link
 * io.ariadne.parquet.schema.ResolvedColumn}s.
 *
 * <p>May depend on {@code parquet.metadata}, {@code kernel.parquet} for the names of conversions,
 * {@code columnar.type}, {@code expression} and {@code error}. Must not know pages, scans, Hadoop
 * or Spark.
 */
package io.ariadne.parquet.schema;
