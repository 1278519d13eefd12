package io.ariadne.pipeline.plan;

import io.ariadne.columnar.type.Schema;

/** Where a pipeline's batches come from. */
public sealed interface PipelineInput {
  /**
   * An input of the task, pulled by the task thread alone.
   *
   * @param nodeId plan node whose figures count the batches
   * @param inputIndex which of the task's inputs
   * @param schema its columns
   */
  record TaskInput(int nodeId, int inputIndex, Schema schema) implements PipelineInput {}

  /**
   * A scan of the task, whose splits compute tasks drive, several at a time.
   *
   * @param nodeId plan node whose figures count the batches
   * @param scanIndex which of the task's scans
   * @param schema its columns
   */
  record Scan(int nodeId, int scanIndex, Schema schema) implements PipelineInput {}

  /**
   * The output of an earlier pipeline's sink, pulled by compute tasks one at a time.
   *
   * @param pipelineIndex which pipeline of the plan
   */
  record SinkOutput(int pipelineIndex) implements PipelineInput {}
}
