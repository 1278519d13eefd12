/**
 * Counts what happens while a fragment runs: {@link io.ariadne.metrics.NodeMetrics} per plan node.
 *
 * <p>May depend on the JDK only. Knows nothing of where metrics are shown.
 */
package io.ariadne.metrics;
