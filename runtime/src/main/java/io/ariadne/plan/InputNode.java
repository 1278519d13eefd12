package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import java.util.List;

/**
 * A stream of batches that enters the fragment from outside.
 *
 * @param id metrics id
 * @param inputIndex index of the task's input
 * @param schema its columns
 */
public record InputNode(int id, int inputIndex, Schema schema) implements PlanNode {
  @Override
  public List<PlanNode> children() {
    return List.of();
  }
}
