package io.ariadne.plan;

import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.type.Schema;
import java.util.List;

/**
 * Hash aggregation whose aggregates Spark's code computes on the JVM, in the order of the rows.
 * Output columns: the keys, then those of the function.
 *
 * @param id metrics id
 * @param child the input: the keys, then the columns that the function reads
 * @param keyCount how many of the child's columns are keys; 0 for a global aggregate, which yields
 *     one row even for no input
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
