/**
 * Translates Spark's file scans: which files Ariadne reads itself, what it reads from them, and how
 * its errors become Spark's errors.
 *
 * <p>{@link io.ariadne.rules.scan.ParquetScans} decides on the driver and describes the scan; in a
 * task {@link io.ariadne.rules.scan.ParquetTaskScan} turns Spark's file partition into our slices.
 * May depend on {@code parquet-reader}, {@code spark-bridge} and {@code rules.expression}. Knows
 * nothing of plan fragments.
 */
package io.ariadne.rules.scan;
