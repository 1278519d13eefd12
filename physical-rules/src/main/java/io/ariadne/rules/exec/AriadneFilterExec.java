package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.expression.StageCodegen;
import io.ariadne.expression.compiler.BridgedStages;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.FilterTranslation;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.exec.translation.ProjectionInput;
import io.ariadne.rules.exec.translation.ScanColumns;
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
    IntSupplier numbers = () -> builder.number(this);
    // Spark computes a projection for every row where it generates no code for the filter above.
    Optional<ProjectionInput> projected =
        StageCodegen.isPreventedBy(condition)
            ? Optional.empty()
            : builder.buildBelowProjection(child());
    if (projected.isPresent()) {
      ConversionScope scope = builder.scope(names(disabled), projected.get().node());
      return node(FilterTranslation.convertBelow(condition, projected.get(), numbers, scope));
    }
    PlanNode input = builder.build(child());
    ConversionScope scope = builder.scope(names(disabled), input);
    List<Expression> rest = filterScan(input, builder);
    return rest.isEmpty()
        ? input
        : node(FilterTranslation.convert(rest, childColumns(), input, numbers, scope));
  }

  private PlanNode node(NodeConversion conversion) {
    return conversion.node().orElseThrow(this::notConvertible);
  }

  /**
   * Gives the leading conjuncts that never raise to the scan, which then skips rows that cannot
   * match.
   *
   * @return the remaining conjuncts
   */
  private List<Expression> filterScan(PlanNode input, FragmentBuilder builder) {
    List<Expression> conjuncts = FilterTranslation.conjuncts(condition);
    ScanColumns columns = ScanColumns.of(input).orElse(null);
    if (columns == null) {
      return conjuncts;
    }
    Expression absorbed = null;
    int count = 0;
    while (count < conjuncts.size() && harmless(conjuncts.get(count), columns).isPresent()) {
      absorbed = FilterTranslation.and(absorbed, conjuncts.get(count++));
    }
    if (absorbed == null
        || !builder.filter(columns.scan(), harmless(absorbed, columns).orElseThrow())) {
      return conjuncts;
    }
    return conjuncts.subList(count, conjuncts.size());
  }

  /** Returns a condition over a scan that kernels compute alone and that raises for no row. */
  private Optional<io.ariadne.expression.Expression> harmless(
      Expression part, ScanColumns columns) {
    PlanNode input = columns.input();
    NodeConversion trial =
        FilterTranslation.convert(
            part, childColumns(), input, () -> 0, ConversionScope.trial(names(disabled)));
    boolean isBridged = trial.expressions().stream().anyMatch(TaggedExpression::isBridgedSomewhere);
    return trial
        .node()
        .filter(node -> !isBridged && !trial.mayRaise())
        .filter(FilterNode.class::isInstance)
        .map(FilterNode.class::cast)
        .filter(filter -> filter.child() == input)
        .filter(filter -> !BridgedStages.isBridged(filter.condition()))
        .flatMap(filter -> columns.below(filter.condition()));
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
                    condition, input, AttributeSchemas.placeholder(input), () -> 0, scope));
  }

  /** Spark's rule: a value that passed an {@code IS NOT NULL} is not null. */
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
