package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.HashJoinNodes;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.ConversionScope;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.BuildSide;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import scala.Option;

/**
 * Joins by hashing: Spark's {@code BroadcastHashJoinExec}, {@code ShuffledHashJoinExec} and {@code
 * SortMergeJoinExec} on Ariadne.
 */
public final class AriadneHashJoinExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  private final scala.collection.immutable.Seq<Expression> leftKeys;
  private final scala.collection.immutable.Seq<Expression> rightKeys;
  private final JoinType joinType;
  private final BuildSide buildSide;
  private final Option<Expression> condition;
  private final boolean nullAware;
  private final boolean broadcast;
  private final String disabled;

  /**
   * Creates the node.
   *
   * @param leftKeys Spark's keys over the left columns
   * @param rightKeys those over the right ones
   * @param joinType Spark's type
   * @param buildSide which side is kept
   * @param condition Spark's condition over both sides' columns, or none
   * @param nullAware whether it is a {@code NOT IN}
   * @param broadcast whether every task has the whole of the side that is kept
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param left the left input, one of our nodes
   * @param right the right input, one of our nodes
   */
  public AriadneHashJoinExec(
      scala.collection.immutable.Seq<Expression> leftKeys,
      scala.collection.immutable.Seq<Expression> rightKeys,
      JoinType joinType,
      BuildSide buildSide,
      Option<Expression> condition,
      boolean nullAware,
      boolean broadcast,
      String disabled,
      SparkPlan left,
      SparkPlan right) {
    super(
        List.of(left, right),
        new Object[] {
          leftKeys, rightKeys, joinType, buildSide, condition, nullAware, broadcast, disabled
        });
    this.leftKeys = leftKeys;
    this.rightKeys = rightKeys;
    this.joinType = joinType;
    this.buildSide = buildSide;
    this.condition = condition;
    this.nullAware = nullAware;
    this.broadcast = broadcast;
    this.disabled = disabled;
  }

  /**
   * Creates a node.
   *
   * @param shape what is joined
   * @param isBroadcast whether every task has the whole of the side that is kept
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param inputs left and right, our nodes
   */
  public static AriadneHashJoinExec of(
      JoinShape shape, boolean isBroadcast, String disabled, List<SparkPlan> inputs) {
    return new AriadneHashJoinExec(
        ScalaCollections.seq(shape.leftKeys()),
        ScalaCollections.seq(shape.rightKeys()),
        shape.joinType(),
        shape.buildSide(),
        shape.condition(),
        shape.isNullAware(),
        isBroadcast,
        disabled,
        inputs.get(0),
        inputs.get(1));
  }

  /** Returns whether every task has the whole of the side that is kept. */
  public boolean isBroadcast() {
    return broadcast;
  }

  private SparkPlan left() {
    return children().apply(0);
  }

  private SparkPlan right() {
    return children().apply(1);
  }

  private static List<Attribute> columns(SparkPlan plan) {
    return ScalaCollections.list(plan.output());
  }

  private JoinShape shape() {
    return new JoinShape(
        ScalaCollections.list(leftKeys),
        ScalaCollections.list(rightKeys),
        joinType,
        buildSide,
        condition,
        nullAware);
  }

  @Override
  boolean keepsBatches() {
    return true;
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    JoinTranslation.Side left = new JoinTranslation.Side(columns(left()), builder.build(left()));
    JoinTranslation.Side right = new JoinTranslation.Side(columns(right()), builder.build(right()));
    return JoinTranslation.convert(
            shape(),
            left,
            right,
            columns(this),
            () -> builder.number(this),
            builder.scope(names(disabled), left.plan()))
        .node()
        .orElseThrow(this::notConvertible);
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
   * @param shape what is joined
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
    return spark().outputPartitioning();
  }

  private SparkPlan spark() {
    return broadcast
        ? HashJoinNodes.broadcast(
            leftKeys, rightKeys, joinType, buildSide, condition, left(), right(), nullAware)
        : HashJoinNodes.shuffled(
            leftKeys, rightKeys, joinType, buildSide, condition, left(), right());
  }
}
