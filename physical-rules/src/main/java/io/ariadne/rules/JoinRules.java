package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.OnePartitionExec;
import io.ariadne.rules.exec.AriadneCoalesceExec;
import io.ariadne.rules.exec.AriadneHashJoinExec;
import io.ariadne.rules.exec.AriadneImportExec;
import io.ariadne.rules.exec.AriadneSortExec;
import io.ariadne.rules.exec.translation.JoinShape;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.expression.ConversionScope;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.BuildLeft$;
import org.apache.spark.sql.catalyst.optimizer.BuildRight$;
import org.apache.spark.sql.catalyst.plans.FullOuter$;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec;
import org.apache.spark.sql.execution.joins.CartesianProductExec;
import org.apache.spark.sql.execution.joins.ShuffledHashJoinExec;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;

/** The {@link NodeRule}s of joins. */
final class JoinRules {
  static final List<NodeRule<?>> ALL =
      List.of(new Broadcast(), new Shuffled(), new SortMerge(), new NestedLoop(), new Product());

  private JoinRules() {}

  /** Leaves joins to Spark where a node may ask for the file of a row. */
  static void guard(PlanTag root) {
    if (InputFileReaders.isAsked(root)) {
      root.all()
          .filter(JoinRules::isJoin)
          .forEach(tag -> tag.against("a node may ask for the file of a row"));
    }
  }

  /** Returns whether a node is a join that has a rule. */
  static boolean isJoin(PlanTag tag) {
    return tag.rule() instanceof Rule<?>;
  }

  /** Returns the join of a node that has a rule. */
  static JoinShape shape(PlanTag join) {
    return shape(join.plan(), (Rule<?>) join.rule());
  }

  private static <P extends SparkPlan> JoinShape shape(SparkPlan plan, Rule<P> rule) {
    return rule.shape(rule.sparkClass().cast(plan));
  }

  private abstract static class Rule<P extends SparkPlan> implements NodeRule<P> {
    /** Returns what is joined. */
    abstract JoinShape shape(P node);

    /** Returns whether every task has all rows of one side. */
    abstract boolean isBroadcast();

    /**
     * Returns why a side should not become the build side, or empty.
     *
     * @param node the join
     * @param build the side that {@link #shape} keeps
     */
    Optional<String> reasonAgainst(P node, SparkPlan build) {
      return Optional.empty();
    }

    @Override
    public NodeConversion tryConvert(P node, Set<String> disabled) {
      JoinShape shape = shape(node);
      Optional<String> reason =
          reasonAgainst(node, node.children().apply(shape.buildsLeft() ? 0 : 1));
      return reason.isEmpty()
          ? AriadneHashJoinExec.tryConvert(shape, node, ConversionScope.trial(disabled))
          : NodeConversion.failed(reason.get());
    }

    @Override
    public int gain(P node, NodeConversion conversion) {
      return TransitionCost.JOIN_GAIN;
    }

    @Override
    public SparkPlan convert(P node, List<SparkPlan> inputs, Set<String> disabled) {
      return AriadneHashJoinExec.of(shape(node), isBroadcast(), names(disabled), inputs);
    }
  }

  /** All tasks of a process read one table of what was broadcast. */
  private static final class Broadcast extends Rule<BroadcastHashJoinExec> {
    @Override
    public Class<BroadcastHashJoinExec> sparkClass() {
      return BroadcastHashJoinExec.class;
    }

    @Override
    public String note() {
      return "up to 32 MiB; keys and condition: no errors; condition: kernels alone";
    }

    @Override
    Optional<String> reasonAgainst(BroadcastHashJoinExec node, SparkPlan build) {
      return shape(node).marksBuildRows()
          ? Optional.of("no task knows which rows of the broadcast other tasks have paired")
          : JoinSizes.reasonAgainstBroadcast(build);
    }

    @Override
    JoinShape shape(BroadcastHashJoinExec node) {
      return new JoinShape(
          ScalaCollections.<Expression>list(node.leftKeys()),
          ScalaCollections.<Expression>list(node.rightKeys()),
          node.joinType(),
          node.buildSide(),
          node.condition(),
          node.isNullAwareAntiJoin());
    }

    @Override
    boolean isBroadcast() {
      return true;
    }
  }

  /** All tasks read one table of what was broadcast, each row of which may pair with any other. */
  private static final class NestedLoop extends Rule<BroadcastNestedLoopJoinExec> {
    @Override
    public Class<BroadcastNestedLoopJoinExec> sparkClass() {
      return BroadcastNestedLoopJoinExec.class;
    }

    @Override
    public String note() {
      return "up to 32 MiB; where the result depends on which rows of the broadcast side have a"
          + " pair, as one task if no node above depends on partitions, in local mode or up to 256"
          + " MiB of input; condition as for BroadcastHashJoinExec";
    }

    @Override
    Optional<String> reasonAgainst(BroadcastNestedLoopJoinExec node, SparkPlan build) {
      JoinShape shape = shape(node);
      return JoinSizes.reasonAgainstBroadcast(build)
          .or(
              () ->
                  shape.marksBuildRows()
                      ? JoinSizes.reasonAgainstOneTask(
                          node.children().apply(shape.buildsLeft() ? 1 : 0), build)
                      : Optional.empty());
    }

    /**
     * Where rows of the broadcast side count one task joins them with all of the other side, as no
     * task knows which rows other tasks have paired. The task runs also for a side without
     * partitions.
     */
    @Override
    public SparkPlan convert(
        BroadcastNestedLoopJoinExec node, List<SparkPlan> inputs, Set<String> disabled) {
      JoinShape shape = shape(node);
      if (!shape.marksBuildRows()) {
        return super.convert(node, inputs, disabled);
      }
      List<SparkPlan> sides =
          shape.buildsLeft()
              ? List.of(inputs.get(0), inOneTask(inputs.get(1)))
              : List.of(inOneTask(inputs.get(0)), inputs.get(1));
      return super.convert(node, sides, disabled);
    }

    private static SparkPlan inOneTask(SparkPlan input) {
      return PlanConverter.asInput(
          input instanceof AriadneImportExec imported
              ? new OnePartitionExec(SinglePartition$.MODULE$, false, imported.child())
              : new AriadneCoalesceExec(1, input));
    }

    @Override
    JoinShape shape(BroadcastNestedLoopJoinExec node) {
      return new JoinShape(
          List.of(), List.of(), node.joinType(), node.buildSide(), node.condition(), false);
    }

    @Override
    boolean isBroadcast() {
      return true;
    }
  }

  /** Each task joins a partition of one side with one of the other. */
  private static final class Product extends Rule<CartesianProductExec> {
    @Override
    public Class<CartesianProductExec> sparkClass() {
      return CartesianProductExec.class;
    }

    @Override
    public String note() {
      return "condition as for BroadcastHashJoinExec";
    }

    /** Spark, too, keeps a partition of the right side. */
    @Override
    JoinShape shape(CartesianProductExec node) {
      return new JoinShape(
          List.of(), List.of(), node.joinType(), BuildRight$.MODULE$, node.condition(), false);
    }

    @Override
    boolean isBroadcast() {
      return false;
    }

    @Override
    public SparkPlan convert(
        CartesianProductExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return AriadneHashJoinExec.product(shape(node), names(disabled), inputs);
    }
  }

  private static String names(Set<String> disabled) {
    return String.join(",", new TreeSet<>(disabled));
  }

  private static final class Shuffled extends Rule<ShuffledHashJoinExec> {
    @Override
    public Class<ShuffledHashJoinExec> sparkClass() {
      return ShuffledHashJoinExec.class;
    }

    @Override
    public String note() {
      return "keys and condition as for BroadcastHashJoinExec";
    }

    /** The side is Spark's choice. */
    @Override
    JoinShape shape(ShuffledHashJoinExec node) {
      JoinShape shape =
          new JoinShape(
              ScalaCollections.<Expression>list(node.leftKeys()),
              ScalaCollections.<Expression>list(node.rightKeys()),
              node.joinType(),
              node.buildSide(),
              node.condition(),
              false);
      return withoutLateErrors(shape, node);
    }

    @Override
    boolean isBroadcast() {
      return false;
    }
  }

  /** The sorts that Spark has put below are left out. */
  private static final class SortMerge extends Rule<SortMergeJoinExec> {
    @Override
    public Class<SortMergeJoinExec> sparkClass() {
      return SortMergeJoinExec.class;
    }

    @Override
    public String note() {
      return "by hashing, without the sorts below, where nothing needs the order;"
          + " keys and condition as for BroadcastHashJoinExec";
    }

    @Override
    JoinShape shape(SortMergeJoinExec node) {
      boolean isLeftSmaller = JoinSizes.isSmaller(node.left(), node.right());
      JoinShape shape =
          new JoinShape(
              ScalaCollections.<Expression>list(node.leftKeys()),
              ScalaCollections.<Expression>list(node.rightKeys()),
              node.joinType(),
              isLeftSmaller ? BuildLeft$.MODULE$ : BuildRight$.MODULE$,
              node.condition(),
              false);
      return withoutLateErrors(shape, node);
    }

    @Override
    boolean isBroadcast() {
      return false;
    }

    @Override
    public SparkPlan convert(SortMergeJoinExec node, List<SparkPlan> inputs, Set<String> disabled) {
      return super.convert(node, inputs.stream().map(JoinRules::withoutSort).toList(), disabled);
    }
  }

  /**
   * Returns a join that keeps the side whose rows do not all count where what is projected on the
   * other one may raise: behind the join it is computed only of rows that stream.
   */
  private static JoinShape withoutLateErrors(JoinShape shape, SparkPlan node) {
    boolean isKept =
        shape.joinType() != FullOuter$.MODULE$
            && shape.marksBuildRows()
            && JoinProjections.mayRaise(node.children().apply(shape.buildsLeft() ? 0 : 1));
    return isKept ? shape.withOtherSide() : shape;
  }

  /** Returns an input of a join without the sort it ends in, Spark's or ours. */
  private static SparkPlan withoutSort(SparkPlan input) {
    if (input instanceof AriadneSortExec sort) {
      return sort.child();
    }
    return input instanceof AriadneImportExec imported && imported.child() instanceof SortExec sort
        ? PlanConverter.asInput(sort.child())
        : input;
  }
}
