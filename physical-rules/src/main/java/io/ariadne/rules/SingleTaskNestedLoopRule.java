package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.OnePartitionExec;
import io.ariadne.rules.exec.AriadneBroadcastExec;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.joins.BroadcastNestedLoopJoinExec;

/**
 * Leaves a nested-loop join to Spark where Ariadne would run it as one task and a single partition
 * would be visible. Ariadne uses one task where the result depends on which rows of the broadcast
 * side have a pair. A single partition is visible to partial sums that overflow or round, to user
 * code above or below the join, and to a consumer that gets the plan's rows by partition.
 */
final class SingleTaskNestedLoopRule {
  private SingleTaskNestedLoopRule() {}

  /** Adds reasons to the tags of a plan: a whole one, or one stage of an adaptive one. */
  static void guard(PlanTag root) {
    List<PlanTag> loops = root.all().filter(SingleTaskNestedLoopRule::isOneTask).toList();
    if (loops.isEmpty()) {
      return;
    }
    if (OnePartitionRule.wantsPartitions(root.plan().conf())) {
      loops.forEach(
          loop -> loop.against("a setting forbids or limits the coalescing of partitions"));
    } else {
      guard(root, CollectedResults.mayHaveTwoForms(root.plan()));
    }
  }

  /**
   * Returns whether the consumer of a plan's rows would see the one partition of a join: no node
   * hides it, so that it is right only for Spark's driver, which collects all rows.
   */
  static boolean showsOnePartition(PlanTag tag) {
    return isOneTask(tag)
        || (hidesBelow(tag.plan(), true)
            && !hidesBelow(tag.plan(), false)
            && tag.children().stream().anyMatch(SingleTaskNestedLoopRule::showsOnePartition));
  }

  private static boolean isOneTask(PlanTag tag) {
    return tag.converts()
        && tag.plan() instanceof BroadcastNestedLoopJoinExec
        && JoinRules.shape(tag).marksBuildRows();
  }

  /**
   * Guards a node and what is below.
   *
   * @param isHidden whether no node above, up to the next exchange, depends on the number of
   *     partitions of the node
   */
  private static void guard(PlanTag tag, boolean isHidden) {
    if (isOneTask(tag)) {
      if (isHidden) {
        reasonBelow(streaming(tag)).ifPresent(tag::against);
      } else {
        tag.against("a node or consumer above may depend on the number of partitions");
      }
    }
    boolean isHiddenBelow = hidesBelow(tag.plan(), isHidden);
    tag.children().forEach(child -> guard(child, isHiddenBelow));
  }

  private static PlanTag streaming(PlanTag loop) {
    return loop.children().get(JoinRules.shape(loop).buildsLeft() ? 1 : 0);
  }

  /** Returns whether partitions of what is below a node are hidden from all above. */
  private static boolean hidesBelow(SparkPlan plan, boolean isHidden) {
    if (plan instanceof Exchange) {
      return StageLayout.hidesPartitions(plan);
    }
    if (plan instanceof OnePartitionExec || plan instanceof TakeOrderedAndProjectExec) {
      return StageLayout.isDeterministic(plan);
    }
    boolean isLoop =
        plan instanceof BroadcastNestedLoopJoinExec && StageLayout.isDeterministic(plan);
    return isHidden && (isLoop || StageLayout.isHarmless(plan));
  }

  private static Optional<String> reasonBelow(PlanTag tag) {
    return runsUserCode(tag.plan())
        ? Optional.of("user code below may ask for its task's number")
        : reasonAgainstRows(tag);
  }

  /** All threads read Ariadne's columns, but only one thread reads rows or Spark's columns. */
  private static Optional<String> reasonAgainstRows(PlanTag tag) {
    SparkPlan plan = tag.plan();
    if (AriadneBroadcastExec.isBroadcast(plan) || RowTransitions.isStageOfOurs(plan)) {
      return Optional.empty();
    }
    if (!tag.converts()) {
      return JoinSizes.reasonAgainstOneThread(plan);
    }
    return plan instanceof Exchange
        ? Optional.empty()
        : tag.children().stream()
            .map(SingleTaskNestedLoopRule::reasonAgainstRows)
            .flatMap(Optional::stream)
            .findFirst();
  }

  /** Returns whether tasks that compute a plan, up to the next exchange below, run user code. */
  private static boolean runsUserCode(SparkPlan plan) {
    if (plan instanceof Exchange || plan instanceof QueryStageExec) {
      return false;
    }
    if (plan instanceof InMemoryTableScanExec scan) {
      return runsUserCode(scan.relation().cacheBuilder().cachedPlan());
    }
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return runsUserCode(adaptive.executedPlan());
    }
    return OnePartitionRule.runsUserCode(plan)
        || ScalaCollections.<Expression>list(plan.expressions()).stream()
            .anyMatch(StageLayout::hasUserCode)
        || ScalaCollections.<SparkPlan>list(plan.children()).stream()
            .anyMatch(SingleTaskNestedLoopRule::runsUserCode);
  }
}
