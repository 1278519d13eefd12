package io.ariadne.plan;

import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.type.Schema;
import java.util.List;

/**
 * Hash aggregation whose aggregates the JVM computes, in the order of the rows. Output columns: the
 * keys, then those of the function.
 *
 * @param id metrics number
 * @param child the input: the keys, then what the function reads
 * @param keyCount how many of the child's columns are keys; none for a global aggregate, which
 *     yields one row also for no input
 * @param function the aggregates
 * @param schema the output columns
 */
public record BridgedAggregateNode(
    int id, PlanNode child, int keyCount, AggregationFunction function, Schema schema)
    implements PlanNode {
  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }

  @Override
  public boolean isBreaker() {
    return true;
  }
}
