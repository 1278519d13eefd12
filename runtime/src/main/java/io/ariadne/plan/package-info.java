/**
 * Describes plan fragments, that is, what a task does, as immutable trees of {@link
 * io.ariadne.plan.PlanNode}.
 *
 * <p>May depend on {@code columnar.type} and {@code expression}. Holds no buffers and knows nothing
 * of Spark or of execution.
 */
package io.ariadne.plan;
