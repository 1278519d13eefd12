package io.ariadne.pipeline.plan;

import io.ariadne.columnar.type.Schema;

/** The source of a pipeline's batches. */
public sealed interface PipelineInput {
  /**
   * An input of the task, pulled by the task thread only.
   *
   * @param nodeId plan node whose metrics count the batches
   * @param inputIndex index of the task's input
   * @param schema its columns
   */
  record TaskInput(int nodeId, int inputIndex, Schema schema) implements PipelineInput {}

  /**
   * A scan of the task. Compute threads read its splits, several at a time.
   *
   * @param nodeId plan node whose metrics count the batches
   * @param scanIndex index of the task's scan
   * @param schema its columns
   */
  record Scan(int nodeId, int scanIndex, Schema schema) implements PipelineInput {}

  /**
   * The output of an earlier pipeline's sink: splits that compute threads read in parallel, or
   * batches that they take one at a time.
   *
   * @param pipelineIndex index of that pipeline in the plan
   */
  record SinkOutput(int pipelineIndex) implements PipelineInput {}
}
