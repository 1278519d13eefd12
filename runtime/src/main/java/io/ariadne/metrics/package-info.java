/**
 * What is counted while a fragment runs: {@link io.ariadne.metrics.NodeMetrics} per plan node.
 *
 * <p>May depend on the JDK only. Knows nothing of where the figures are shown.
 */
package io.ariadne.metrics;
