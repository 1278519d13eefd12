package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.exec.ExchangeShuffles;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.execution.BaseLimitExec;
import org.apache.spark.sql.execution.CollectLimitExec;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.SampleExec;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.joins.BaseJoinExec;
import org.apache.spark.sql.execution.joins.ShuffledHashJoinExec;
import org.apache.spark.sql.execution.joins.SortMergeJoinExec;

/**
 * Leaves joins and expansions to Spark where a node above needs their order and Ariadne's node
 * would not keep it. Spark has already removed sorts that such an order makes needless, also of the
 * plan's own output. If a query has no sort, no node relies on the order of a join ({@link
 * RequestedOrder}).
 */
final class JoinOrders {
  /** Nodes whose output does not have the order of their input. */
  private static final Set<Class<?>> OWN_ORDER =
      Set.of(
          HashAggregateExec.class,
          ObjectHashAggregateExec.class,
          SortExec.class,
          TakeOrderedAndProjectExec.class);

  /** Whether the nodes above need the order of a node's output. */
  private enum Need {
    NONE,
    /** A join by merging that becomes ours together with all between it and the node. */
    CONVERTED_JOIN,
    /** A node or consumer above relies on the order that Spark declares. */
    DECLARED,
    /**
     * A node above needs every row in the same place when a task is repeated: a sample, a row's
     * number.
     */
    EVERY_ROW
  }

  private JoinOrders() {}

  /** Adds reasons to the tags of a plan: of a whole plan, or of one stage of an adaptive plan. */
  static void guard(PlanTag root) {
    Need ofQuery = RequestedOrder.mayBeAsked(root.plan()) ? Need.DECLARED : Need.NONE;
    guard(root, ofQuery, ofQuery);
  }

  /**
   * Guards a node and what is below.
   *
   * @param above what its parent needs
   * @param ofQuery the need of nodes that require no order themselves
   */
  private static void guard(PlanTag tag, Need above, Need ofQuery) {
    Need need = above == Need.CONVERTED_JOIN && !tag.converts() ? Need.DECLARED : above;
    if (tag.converts() && losesOrder(tag.plan(), need)) {
      tag.against("its order may be needed above");
    }
    List<? extends scala.collection.Seq<SortOrder>> required =
        ScalaCollections.list(tag.plan().requiredChildOrdering());
    for (int i = 0; i < tag.children().size(); i++) {
      Need below = below(tag, need, ofQuery, !required.get(i).isEmpty());
      guard(tag.children().get(i), below, ofQuery);
    }
  }

  private static boolean losesOrder(SparkPlan plan, Need need) {
    return switch (need) {
      case NONE, CONVERTED_JOIN -> false;
      case DECLARED -> !plan.outputOrdering().isEmpty() && losesDeclaredOrder(plan);
      // Ours expands a batch projection by projection, Spark's row by row.
      case EVERY_ROW -> plan instanceof BaseJoinExec || plan instanceof ExpandExec;
    };
  }

  /**
   * Returns whether our join does not put rows out in the order of Spark's: that of the keys, or,
   * of a join by hashing, that of the side that is not kept. Its rows come last where those that
   * they may be paired with do not fit memory, as a broadcast has to; there only rows without a
   * pair come last of their batch if there is a condition. The rows of one key come in any order.
   */
  private static boolean losesDeclaredOrder(SparkPlan plan) {
    return plan instanceof SortMergeJoinExec
        || plan instanceof ShuffledHashJoinExec
        || (plan instanceof BaseJoinExec join
            && join.condition().isDefined()
            && (join.joinType() == LeftOuter$.MODULE$ || join.joinType() == RightOuter$.MODULE$));
  }

  private static Need below(PlanTag tag, Need need, Need ofQuery, boolean isRequired) {
    SparkPlan plan = tag.plan();
    if (plan instanceof SortMergeJoinExec && tag.converts()) {
      return Need.CONVERTED_JOIN;
    }
    if (showsEveryRow(plan)) {
      return Need.EVERY_ROW;
    }
    if (isRequired) {
      return Need.DECLARED;
    }
    if (takesRowsAsTheyCome(plan)) {
      return need == Need.NONE ? ofQuery : need;
    }
    return hasOwnOrder(plan) ? Need.NONE : need;
  }

  /**
   * Returns whether a node's result depends on the order of rows, which Spark guarantees only where
   * a query sorts them: for example which rows are the first, or the order of a list's elements.
   */
  private static boolean takesRowsAsTheyCome(SparkPlan plan) {
    return plan instanceof BaseLimitExec
        || plan instanceof CollectLimitExec
        || (plan instanceof BaseAggregateExec aggregate && dependsOnOrder(aggregate));
  }

  /**
   * Returns whether a node gives rows something by their place. A task that is repeated, because
   * its output was lost, must do so as the first time: others have read a part of that.
   */
  private static boolean showsEveryRow(SparkPlan plan) {
    return plan instanceof SampleExec
        || (plan instanceof ShuffleExchangeExec exchange
            && ExchangeShuffles.dealsOutUnsorted(exchange))
        || ScalaCollections.<Expression>list(plan.expressions()).stream()
            .anyMatch(expression -> !expression.deterministic());
  }

  private static boolean hasOwnOrder(SparkPlan plan) {
    return plan instanceof Exchange || OWN_ORDER.contains(plan.getClass());
  }

  private static boolean dependsOnOrder(BaseAggregateExec plan) {
    return ScalaCollections.<AggregateExpression>list(plan.aggregateExpressions()).stream()
        .anyMatch(aggregate -> StageLayout.dependsOnOrder(aggregate.aggregateFunction()));
  }
}
