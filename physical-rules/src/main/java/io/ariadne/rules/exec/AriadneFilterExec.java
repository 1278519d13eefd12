package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ScanNode;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.List;
import java.util.Optional;
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
    Optional<ProjectionInput> projected = builder.buildBelowProjection(child());
    if (projected.isPresent()) {
      return node(FilterTranslation.convertBelow(resolved, projected.get(), numbers, scope));
    }
    PlanNode input = builder.build(child());
    return input instanceof ScanNode scan && isAbsorbed(scan, resolved, builder)
        ? scan
        : node(FilterTranslation.convert(resolved, childColumns(), input, numbers, scope));
  }

  private PlanNode node(NodeConversion conversion) {
    return conversion.node().orElseThrow(this::notConvertible);
  }

  /** A condition that raises for no row is the scan's, which then skips what cannot pass. */
  private boolean isAbsorbed(ScanNode scan, Expression resolved, FragmentBuilder builder) {
    NodeConversion trial =
        FilterTranslation.convert(
            resolved, childColumns(), scan, () -> 0, ConversionScope.trial(names(disabled)));
    boolean isBridged = trial.expressions().stream().anyMatch(TaggedExpression::isBridgedSomewhere);
    return !isBridged
        && !trial.mayRaise()
        && trial.node().orElse(null) instanceof FilterNode filter
        && filter.child() == scan
        && builder.filter(scan, filter.condition());
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
