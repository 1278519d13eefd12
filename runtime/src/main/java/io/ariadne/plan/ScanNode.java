package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import java.util.List;

/**
 * A scan whose pieces the compute threads read themselves, several at a time.
 *
 * @param id metrics number
 * @param scanIndex which of the task's scans
 * @param schema its columns
 */
public record ScanNode(int id, int scanIndex, Schema schema) implements PlanNode {
  @Override
  public List<PlanNode> children() {
    return List.of();
  }
}
