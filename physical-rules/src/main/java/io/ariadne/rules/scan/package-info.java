/**
 * Spark's file scans that Ariadne reads itself: which they are, what they read, and how their
 * failures become Spark's.
 *
 * <p>{@link io.ariadne.rules.scan.ParquetScans} decides on the driver and describes the scan; in a
 * task {@link io.ariadne.rules.scan.ParquetTaskScan} turns Spark's file partition into our slices.
 * May depend on {@code parquet-reader}, {@code spark-bridge} and {@code rules.expression}. Knows
 * nothing of plan fragments.
 */
package io.ariadne.rules.scan;
