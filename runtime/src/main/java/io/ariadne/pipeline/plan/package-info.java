/**
 * Splits the plan nodes of a fragment at their breakers: {@link
 * io.ariadne.pipeline.plan.LocalPlanner} makes the pipelines of a {@link
 * io.ariadne.pipeline.plan.LocalPlan}.
 *
 * <p>May depend on {@code plan}, {@code operator} and {@code columnar}.
 */
package io.ariadne.pipeline.plan;
