package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.operator.sort.SortColumn;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.exec.translation.SortTranslation;
import io.ariadne.rules.expression.ConversionScope;
import java.util.List;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * A node that sorts the rows of each partition in Spark's order and does not change their columns.
 */
abstract class AriadneOrderingExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  private final scala.collection.immutable.Seq<SortOrder> sortOrder;
  private final String disabled;

  /**
   * Creates the node.
   *
   * @param sortOrder Spark's order over the child's columns
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   * @param arguments all arguments of the subclass's constructor except the child
   */
  AriadneOrderingExec(
      scala.collection.immutable.Seq<SortOrder> sortOrder,
      String disabled,
      SparkPlan child,
      Object[] arguments) {
    super(child, arguments);
    this.sortOrder = sortOrder;
    this.disabled = disabled;
  }

  /** Makes the plan node that puts rows in order. */
  abstract PlanNode planNode(int number, PlanNode below, List<SortColumn> keys);

  @Override
  final PlanNode toPlanNode(FragmentBuilder builder) {
    PlanNode input = builder.build(child());
    IntSupplier numbers = () -> builder.number(this);
    return SortTranslation.convert(
            order(),
            childColumns(),
            input,
            numbers,
            builder.scope(names(disabled), input),
            (below, keys) -> planNode(numbers.getAsInt(), below, keys))
        .node()
        .orElseThrow(this::notConvertible);
  }

  @Override
  public final NodeConversion explainConversion() {
    return SortTranslation.tryConvert(
        order(),
        childColumns(),
        ConversionScope.trial(names(disabled)),
        (below, keys) -> planNode(0, below, keys));
  }

  final scala.collection.immutable.Seq<SortOrder> sortOrder() {
    return sortOrder;
  }

  private List<SortOrder> order() {
    return ScalaCollections.list(sortOrder);
  }

  @Override
  public final scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(childColumns());
  }

  @Override
  public final Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }
}
