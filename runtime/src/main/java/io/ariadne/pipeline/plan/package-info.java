/**
 * Splits the plan of a fragment into pipelines: {@link io.ariadne.pipeline.plan.LocalPlanner}
 * creates the {@link io.ariadne.pipeline.plan.LocalPlan}.
 *
 * <p>May depend on {@code plan}, {@code operator} and {@code columnar}.
 */
package io.ariadne.pipeline.plan;
