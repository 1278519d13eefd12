package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.ConversionScope;
import java.util.List;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;

/** Keeps the rows for which a condition is true: Spark's {@code FilterExec} on Ariadne. */
public final class AriadneFilterExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  private final Expression condition;
  private final String disabled;

  /**
   * Creates the node.
   *
   * @param condition Spark's condition over the child's columns
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   */
  public AriadneFilterExec(Expression condition, String disabled, SparkPlan child) {
    super(child, new Object[] {condition, disabled});
    this.condition = condition;
    this.disabled = disabled;
  }

  /** Returns the condition. */
  public Expression condition() {
    return condition;
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    Expression resolved = SubqueryResults.insert(condition);
    ConversionScope scope = builder.scope(names(disabled));
    IntSupplier numbers = () -> builder.number(this);
    return builder
        .buildBelowProjection(child())
        .map(input -> FilterTranslation.convertBelow(resolved, input, numbers, scope))
        .orElseGet(
            () ->
                FilterTranslation.convert(
                    resolved, childColumns(), builder.build(child()), numbers, scope))
        .node()
        .orElseThrow(this::notConvertible);
  }

  @Override
  public NodeConversion explainConversion() {
    return tryConvert(condition, childColumns(), ConversionScope.trial(names(disabled)));
  }

  /** Tries the translation of a filter. */
  public static NodeConversion tryConvert(
      Expression condition, List<Attribute> input, ConversionScope scope) {
    return AttributeSchemas.reasonAgainst(input)
        .map(NodeConversion::failed)
        .orElseGet(
            () ->
                FilterTranslation.convert(
                    condition, input, FragmentBuilder.placeholder(input), () -> 0, scope));
  }

  /** Spark's rule: what passed an {@code IS NOT NULL} is not null. */
  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(ScalaCollections.<Attribute>list(spark().output()));
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }

  @Override
  public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return ScalaCollections.seq(ScalaCollections.<SortOrder>list(child().outputOrdering()));
  }

  private FilterExec spark() {
    return new FilterExec(condition, child());
  }
}
