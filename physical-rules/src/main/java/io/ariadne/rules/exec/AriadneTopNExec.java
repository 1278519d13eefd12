package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.operator.sort.TopNOperatorFactory;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.TopNNode;
import io.ariadne.rules.expression.ConversionScope;
import java.util.List;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Keeps the first rows of an order in each partition, in that order: what Spark's {@code
 * TakeOrderedAndProjectExec} above then chooses among.
 */
public final class AriadneTopNExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  private final scala.collection.immutable.Seq<SortOrder> sortOrder;
  private final int limit;
  private final String disabled;

  /**
   * Creates the node.
   *
   * @param sortOrder Spark's order over the child's columns
   * @param limit the most rows of a partition that are kept
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   */
  public AriadneTopNExec(
      scala.collection.immutable.Seq<SortOrder> sortOrder,
      int limit,
      String disabled,
      SparkPlan child) {
    super(child, new Object[] {sortOrder, limit, disabled});
    this.sortOrder = sortOrder;
    this.limit = limit;
    this.disabled = disabled;
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    PlanNode input = builder.build(child());
    return convert(
            ScalaCollections.list(sortOrder),
            limit,
            childColumns(),
            input,
            () -> builder.number(this),
            builder.scope(names(disabled), input))
        .node()
        .orElseThrow(this::notConvertible);
  }

  private static NodeConversion convert(
      List<SortOrder> order,
      int limit,
      List<Attribute> columns,
      PlanNode input,
      IntSupplier numbers,
      ConversionScope scope) {
    return SortTranslation.convert(
        order,
        columns,
        input,
        numbers,
        scope,
        (below, keys) -> new TopNNode(numbers.getAsInt(), below, keys, limit));
  }

  /** Tries the translation of a choice of first rows. */
  public static NodeConversion tryConvert(
      List<SortOrder> order, int limit, List<Attribute> columns, ConversionScope scope) {
    if (limit > TopNOperatorFactory.MAX_LIMIT) {
      return NodeConversion.failed("so many rows are sorted, not chosen: " + limit);
    }
    return AttributeSchemas.reasonAgainst(columns)
        .map(NodeConversion::failed)
        .orElseGet(
            () ->
                convert(
                    order, limit, columns, FragmentBuilder.placeholder(columns), () -> 0, scope));
  }

  @Override
  public NodeConversion explainConversion() {
    return tryConvert(
        ScalaCollections.list(sortOrder),
        limit,
        childColumns(),
        ConversionScope.trial(names(disabled)));
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(childColumns());
  }

  @Override
  public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return sortOrder;
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }
}
