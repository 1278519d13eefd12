package io.ariadne.rules.exec;

import io.ariadne.operator.sort.SortColumn;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.TopNNode;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.exec.translation.SortTranslation;
import io.ariadne.rules.expression.ConversionScope;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Returns the first rows of each partition by an order, in that order. Spark's {@code
 * TakeOrderedAndProjectExec} above then chooses among them.
 */
public final class AriadneTopNExec extends AriadneOrderingExec {
  private static final long serialVersionUID = 1L;

  private final int limit;

  /**
   * Creates the node.
   *
   * @param sortOrder Spark's order over the child's columns
   * @param limit maximum number of rows of a partition in the output
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   */
  public AriadneTopNExec(
      scala.collection.immutable.Seq<SortOrder> sortOrder,
      int limit,
      String disabled,
      SparkPlan child) {
    super(sortOrder, disabled, child, new Object[] {sortOrder, limit, disabled});
    this.limit = limit;
  }

  @Override
  PlanNode planNode(int number, PlanNode below, List<SortColumn> keys) {
    return new TopNNode(number, below, keys, limit);
  }

  /** Tries the translation of a choice of first rows. */
  public static NodeConversion tryConvert(
      List<SortOrder> order, int limit, List<Attribute> columns, ConversionScope scope) {
    return SortTranslation.tryConvert(
        order, columns, scope, (below, keys) -> new TopNNode(0, below, keys, limit));
  }

  @Override
  public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return sortOrder();
  }
}
