package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.expression.StageCodegen;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.exec.translation.ProjectTranslation;
import io.ariadne.rules.exec.translation.ProjectionInput;
import io.ariadne.rules.expression.ConversionScope;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;

/** Computes columns: Spark's {@code ProjectExec} on Ariadne. */
public final class AriadneProjectExec extends AriadneFragmentExec implements ProjectingExec {
  private static final long serialVersionUID = 1L;

  private final scala.collection.immutable.Seq<NamedExpression> projectList;
  private final String disabled;

  /**
   * Creates the node.
   *
   * @param projectList Spark's output expressions over the child's columns
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   */
  public AriadneProjectExec(
      scala.collection.immutable.Seq<NamedExpression> projectList,
      String disabled,
      SparkPlan child) {
    super(child, new Object[] {projectList, disabled});
    this.projectList = projectList;
    this.disabled = disabled;
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    PlanNode input = builder.build(child());
    return ProjectTranslation.convert(
            projections(),
            childColumns(),
            input,
            () -> builder.number(this),
            builder.scope(names(disabled), input))
        .node()
        .orElseThrow(this::notConvertible);
  }

  /** Returns whether a projection only chooses columns. */
  public static boolean isChoice(List<NamedExpression> projections) {
    return projections.stream().allMatch(Attribute.class::isInstance);
  }

  @Override
  public boolean projectionMayRaise() {
    return choosesOfProjection()
        || (!StageCodegen.isPreventedIn(this) && explainConversion().mayRaise());
  }

  private boolean choosesOfProjection() {
    return isChoice(projections())
        && child() instanceof ProjectingExec below
        && below.projectionMayRaise();
  }

  @Override
  public ProjectionInput toProjectionInput(FragmentBuilder builder) {
    if (choosesOfProjection()) {
      return builder.buildBelowProjection(child()).orElseThrow().choose(projections());
    }
    PlanNode input = builder.build(child());
    return new ProjectionInput(input, childColumns(), projections());
  }

  @Override
  public NodeConversion explainConversion() {
    return tryConvert(projections(), childColumns(), ConversionScope.trial(names(disabled)));
  }

  /** Tries the translation of a projection. */
  public static NodeConversion tryConvert(
      List<NamedExpression> projections, List<Attribute> input, ConversionScope scope) {
    return AttributeSchemas.reasonAgainst(input)
        .map(NodeConversion::failed)
        .orElseGet(
            () ->
                ProjectTranslation.convert(
                    projections, input, AttributeSchemas.placeholder(input), () -> 0, scope));
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(projections().stream().map(NamedExpression::toAttribute).toList());
  }

  @Override
  public Partitioning outputPartitioning() {
    return spark().outputPartitioning();
  }

  @Override
  public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return ScalaCollections.seq(ScalaCollections.<SortOrder>list(spark().outputOrdering()));
  }

  private List<NamedExpression> projections() {
    return ScalaCollections.list(projectList);
  }

  private ProjectExec spark() {
    return new ProjectExec(projectList, child());
  }
}
