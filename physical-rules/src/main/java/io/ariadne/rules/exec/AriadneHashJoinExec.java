package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.HashJoinNodes;
import io.ariadne.plan.JoinNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.JoinShape;
import io.ariadne.rules.exec.translation.JoinTranslation;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.exec.translation.PostponedProjection;
import io.ariadne.rules.exec.translation.ProjectTranslation;
import io.ariadne.rules.exec.translation.ProjectionInput;
import io.ariadne.rules.expression.ConversionScope;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.optimizer.BuildSide;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec;
import scala.Option;

/**
 * Joins by hashing: Spark's {@code BroadcastHashJoinExec}, {@code ShuffledHashJoinExec} and {@code
 * SortMergeJoinExec} on Ariadne; without keys also {@code BroadcastNestedLoopJoinExec} and {@code
 * CartesianProductExec}.
 */
public final class AriadneHashJoinExec extends AriadneFragmentExec implements ProjectingExec {
  private static final long serialVersionUID = 1L;

  private final scala.collection.immutable.Seq<Expression> leftKeys;
  private final scala.collection.immutable.Seq<Expression> rightKeys;
  private final Option<Expression> condition;
  private final Mode mode;
  private final String disabled;

  /**
   * The properties of a join that are no expressions.
   *
   * @param joinType Spark's type
   * @param buildSide the build side
   * @param isNullAware whether it is a {@code NOT IN}
   * @param isBroadcast whether every task has all rows of the build side
   */
  public record Mode(
      JoinType joinType, BuildSide buildSide, boolean isNullAware, boolean isBroadcast)
      implements Serializable {
    @Override
    public String toString() {
      return joinType
          + ", "
          + buildSide
          + (isNullAware ? ", null aware" : "")
          + (isBroadcast ? ", broadcast" : "");
    }
  }

  /**
   * Creates the node.
   *
   * @param leftKeys Spark's keys over the left columns
   * @param rightKeys Spark's keys over the right columns
   * @param condition Spark's condition over both sides' columns, or none
   * @param mode how it joins
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param left the left input, one of our nodes
   * @param right the right input, one of our nodes
   */
  public AriadneHashJoinExec(
      scala.collection.immutable.Seq<Expression> leftKeys,
      scala.collection.immutable.Seq<Expression> rightKeys,
      Option<Expression> condition,
      Mode mode,
      String disabled,
      SparkPlan left,
      SparkPlan right) {
    super(List.of(left, right), new Object[] {leftKeys, rightKeys, condition, mode, disabled});
    this.leftKeys = leftKeys;
    this.rightKeys = rightKeys;
    this.condition = condition;
    this.mode = mode;
    this.disabled = disabled;
  }

  /**
   * Creates a node.
   *
   * @param shape the join
   * @param isBroadcast whether every task has all rows of the build side
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param inputs left and right, our nodes
   */
  public static AriadneHashJoinExec of(
      JoinShape shape, boolean isBroadcast, String disabled, List<SparkPlan> inputs) {
    return new AriadneHashJoinExec(
        ScalaCollections.seq(shape.leftKeys()),
        ScalaCollections.seq(shape.rightKeys()),
        shape.condition(),
        new Mode(shape.joinType(), shape.buildSide(), shape.isNullAware(), isBroadcast),
        disabled,
        inputs.get(0),
        inputs.get(1));
  }

  /**
   * Creates a node that pairs all rows of two inputs, neither of which is broadcast.
   *
   * @param shape the join; without keys
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param inputs left and right, our nodes
   */
  public static AriadneHashJoinExec product(
      JoinShape shape, String disabled, List<SparkPlan> inputs) {
    List<SparkPlan> sides = inputs.stream().<SparkPlan>map(AriadneCrossInputExec::of).toList();
    return of(shape, false, disabled, sides);
  }

  private boolean isProduct() {
    return leftKeys.isEmpty() && !mode.isBroadcast();
  }

  /** Returns whether every task has the whole of the side that is kept. */
  public boolean isBroadcast() {
    return mode.isBroadcast();
  }

  private SparkPlan left() {
    return children().apply(0);
  }

  private SparkPlan right() {
    return children().apply(1);
  }

  /** Returns the input whose rows are not kept. */
  private SparkPlan probe() {
    return mode.buildSide() == BuildLeft$.MODULE$ ? right() : left();
  }

  private static List<Attribute> columns(SparkPlan plan) {
    return ScalaCollections.list(plan.output());
  }

  private JoinShape shape() {
    return new JoinShape(
        ScalaCollections.list(leftKeys),
        ScalaCollections.list(rightKeys),
        mode.joinType(),
        mode.buildSide(),
        condition,
        mode.isNullAware());
  }

  @Override
  boolean keepsBatches() {
    return true;
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    ProjectionInput joined = toProjectionInput(builder);
    return ProjectTranslation.convert(
            joined.projections(),
            joined.columns(),
            joined.node(),
            () -> builder.number(this),
            builder.scope(names(disabled), joined.node()))
        .node()
        .orElseThrow(this::notConvertible);
  }

  /** Returns whether an expression after the join may raise. */
  @Override
  public boolean projectionMayRaise() {
    return !shape().marksBuildRows()
        && probe() instanceof ProjectingExec projecting
        && projecting.projectionMayRaise();
  }

  @Override
  public ProjectionInput toProjectionInput(FragmentBuilder builder) {
    JoinShape shape = shape();
    if (isProduct()) {
      builder.cross((AriadneCrossInputExec) left(), (AriadneCrossInputExec) right());
    }
    Optional<ProjectionInput> below =
        projectionMayRaise() ? builder.buildBelowProjection(probe()) : Optional.empty();
    List<NamedExpression> projections = below.map(ProjectionInput::projections).orElseGet(List::of);
    PostponedProjection postponed = PostponedProjection.of(projections, shape.references());
    JoinTranslation.Side streamed =
        below.isEmpty() ? side(probe(), builder) : side(postponed, below.get(), builder);
    JoinTranslation.Side kept = side(shape.buildsLeft() ? left() : right(), builder);
    List<Attribute> joined = postponed.joined(columns(this));
    PlanNode node =
        JoinTranslation.convert(
                shape,
                shape.buildsLeft() ? kept : streamed,
                shape.buildsLeft() ? streamed : kept,
                joined,
                () -> builder.number(this),
                builder.scope(names(disabled), streamed.plan()))
            .node()
            .map(join -> mode.isBroadcast() ? ((JoinNode) join).inOrder() : join)
            .orElseThrow(this::notConvertible);
    return new ProjectionInput(node, joined, postponed.behind(columns(this)));
  }

  private static JoinTranslation.Side side(SparkPlan input, FragmentBuilder builder) {
    return new JoinTranslation.Side(columns(input), builder.build(input));
  }

  private JoinTranslation.Side side(
      PostponedProjection postponed, ProjectionInput below, FragmentBuilder builder) {
    PlanNode plan =
        postponed
            .plan(below, () -> builder.number(this), builder.scope(names(disabled), below.node()))
            .node()
            .orElseThrow(this::notConvertible);
    return new JoinTranslation.Side(postponed.columns(), plan);
  }

  @Override
  public NodeConversion explainConversion() {
    return JoinTranslation.tryConvert(
        shape(),
        columns(left()),
        columns(right()),
        columns(this),
        ConversionScope.trial(names(disabled)));
  }

  /**
   * Tries the translation of a join.
   *
   * @param shape the join
   * @param node Spark's node
   * @param scope settings
   */
  public static NodeConversion tryConvert(JoinShape shape, SparkPlan node, ConversionScope scope) {
    return JoinTranslation.tryConvert(
        shape,
        columns(node.children().apply(0)),
        columns(node.children().apply(1)),
        columns(node),
        scope);
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(ScalaCollections.<Attribute>list(spark().output()));
  }

  @Override
  public Partitioning outputPartitioning() {
    return isProduct() ? new UnknownPartitioning(0) : spark().outputPartitioning();
  }

  /** Returns Spark's node of the same kind, which knows its output and how that is divided. */
  private SparkPlan spark() {
    if (leftKeys.isEmpty()) {
      return new BroadcastNestedLoopJoinExec(
          left(), right(), mode.buildSide(), mode.joinType(), condition);
    }
    return mode.isBroadcast()
        ? HashJoinNodes.broadcast(
            leftKeys,
            rightKeys,
            mode.joinType(),
            mode.buildSide(),
            condition,
            left(),
            right(),
            mode.isNullAware())
        : HashJoinNodes.shuffled(
            leftKeys, rightKeys, mode.joinType(), mode.buildSide(), condition, left(), right());
  }
}
