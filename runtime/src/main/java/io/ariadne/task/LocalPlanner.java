package io.ariadne.task;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import java.util.List;

/** Turns a tree of plan nodes into pipelines, split at breakers. */
public final class LocalPlanner {
  private LocalPlanner() {}

  /**
   * Plans a fragment.
   *
   * @param root its topmost node
   * @return the pipelines
   */
  public static LocalPlan plan(PlanNode root) {
    if (root instanceof InputNode input) {
      PipelineInput source =
          new PipelineInput.TaskInput(input.id(), input.inputIndex(), input.schema());
      return new LocalPlan(
          List.of(new PipelinePlan(source, List.of(), null, PipelinePlan.ANY, true)),
          root.schema());
    }
    throw new EngineException(ErrorCode.UNSUPPORTED, "no operator for " + root);
  }
}
