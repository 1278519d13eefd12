/**
 * How one task's plan fragment runs: {@link io.ariadne.task.LocalPlanner} turns plan nodes into the
 * pipelines of a {@link io.ariadne.task.LocalPlan}, {@link io.ariadne.task.PipelinedFragment} runs
 * them and is the {@link io.ariadne.task.FragmentExecution} that the task thread pumps.
 *
 * <p>May depend on {@code plan}, {@code compute}, {@code metrics}, {@code operator}, {@code
 * columnar} and {@code error}. Knows nothing of Spark, of the process's settings, or of what the
 * operators compute.
 */
package io.ariadne.task;
