/**
 * Runs pipelines: a {@link io.ariadne.pipeline.PipelineRun} admits batches and splits within bounds
 * and queues work items, in which a {@link io.ariadne.pipeline.PipelineDriver} sends them through
 * its instances of the pipeline's operators.
 *
 * <p>May depend on {@code pipeline.plan}, {@code fragment.control}, {@code fragment.memory}, {@code
 * fragment.admission} and what these depend on.
 */
package io.ariadne.pipeline;
