package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.SortNode;
import io.ariadne.rules.expression.ConversionScope;
import java.util.List;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;

/** Sorts the rows of each partition: Spark's {@code SortExec} on Ariadne. */
public final class AriadneSortExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  private final scala.collection.immutable.Seq<SortOrder> sortOrder;
  private final boolean global;
  private final String disabled;

  /**
   * Creates the node.
   *
   * @param sortOrder Spark's order over the child's columns
   * @param global whether partitions follow one another in this order, too
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   */
  public AriadneSortExec(
      scala.collection.immutable.Seq<SortOrder> sortOrder,
      boolean global,
      String disabled,
      SparkPlan child) {
    super(child, new Object[] {sortOrder, global, disabled});
    this.sortOrder = sortOrder;
    this.global = global;
    this.disabled = disabled;
  }

  @Override
  boolean keepsBatches() {
    return true;
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    PlanNode input = builder.build(child());
    return convert(
            ScalaCollections.list(sortOrder),
            childColumns(),
            input,
            () -> builder.number(this),
            builder.scope(names(disabled), input))
        .node()
        .orElseThrow(this::notConvertible);
  }

  private static NodeConversion convert(
      List<SortOrder> order,
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
        (below, keys) -> new SortNode(numbers.getAsInt(), below, keys));
  }

  /** Tries the translation of a sort. */
  public static NodeConversion tryConvert(
      List<SortOrder> order, List<Attribute> columns, ConversionScope scope) {
    return AttributeSchemas.reasonAgainst(columns)
        .map(NodeConversion::failed)
        .orElseGet(
            () -> convert(order, columns, FragmentBuilder.placeholder(columns), () -> 0, scope));
  }

  @Override
  public NodeConversion explainConversion() {
    return tryConvert(
        ScalaCollections.list(sortOrder), childColumns(), ConversionScope.trial(names(disabled)));
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(childColumns());
  }

  @Override
  public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return ScalaCollections.seq(ScalaCollections.<SortOrder>list(spark().outputOrdering()));
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }

  @Override
  public scala.collection.immutable.Seq<Distribution> requiredChildDistribution() {
    return ScalaCollections.seq(
        ScalaCollections.<Distribution>list(spark().requiredChildDistribution()));
  }

  private SortExec spark() {
    return new SortExec(sortOrder, global, child(), 0);
  }
}
