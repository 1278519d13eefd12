/**
 * Publishing of a fragment's metrics to Spark: of each node to its SQL metrics ({@link
 * io.ariadne.rules.exec.metrics.SparkNodeMetrics}, {@link
 * io.ariadne.rules.exec.metrics.ScanNodeMetrics}), of the fragment as a whole to the task's metrics
 * ({@link io.ariadne.rules.exec.metrics.SparkTaskMetrics}). Only the task thread publishes.
 *
 * <p>May depend on {@code metrics} and {@code bridge.node}.
 */
package io.ariadne.rules.exec.metrics;
