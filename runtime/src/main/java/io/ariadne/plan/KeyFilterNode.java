package io.ariadne.plan;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.exchange.ExchangeFilters;
import io.ariadne.operator.exchange.KeyFilterOperatorFactory;
import java.util.List;

/**
 * Drops rows that do not pass a runtime filter, and collects hashes for the filters of others.
 *
 * @param id metrics id
 * @param child the input; its last column has the hash of the key that is tested
 * @param width how many columns of the input, from the first on, are in the output beside the last
 *     one
 * @param filters the exchange's filters
 */
public record KeyFilterNode(int id, PlanNode child, int width, ExchangeFilters filters)
    implements PlanNode {
  @Override
  public List<PlanNode> children() {
    return List.of(child);
  }

  @Override
  public Schema schema() {
    return KeyFilterOperatorFactory.output(child.schema(), width);
  }
}
