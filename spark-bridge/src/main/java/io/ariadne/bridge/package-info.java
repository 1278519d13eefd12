/**
 * Converts between Spark's and Ariadne's types, batches, rows and expressions, and contains
 * everything that differs between Spark lines.
 *
 * <p>May depend on {@code columnar} and Spark. Knows nothing of kernels, operators, plans or
 * configuration.
 */
package io.ariadne.bridge;
