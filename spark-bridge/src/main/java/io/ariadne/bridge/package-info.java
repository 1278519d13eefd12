/**
 * Spark's types, batches, rows and expressions seen as Ariadne's, and the only home of what differs
 * between Spark lines.
 *
 * <p>May depend on {@code columnar} and Spark. Knows nothing of kernels, operators, plans or
 * configuration.
 */
package io.ariadne.bridge;
