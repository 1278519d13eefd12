/**
 * Converts Ariadne's batches to Spark's rows: {@link io.ariadne.bridge.output.RowEncoder} writes
 * Spark's binary rows column by column, {@link io.ariadne.bridge.output.BatchRows} iterates over
 * them in tasks, and {@link io.ariadne.bridge.output.RowBlock} is what a task sends to Spark's
 * driver.
 *
 * <p>May depend on {@code bridge.vector}, {@code bridge.node} and Catalyst's rows. Knows nothing of
 * plans, kernels and the runtime.
 */
package io.ariadne.bridge.output;
