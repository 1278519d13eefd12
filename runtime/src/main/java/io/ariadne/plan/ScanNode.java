package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import java.util.List;

/**
 * A scan whose splits the compute threads read, several at a time.
 *
 * @param id metrics id
 * @param scanIndex index of the task's scan
 * @param schema its columns
 */
public record ScanNode(int id, int scanIndex, Schema schema) implements PlanNode {
  @Override
  public List<PlanNode> children() {
    return List.of();
  }
}
