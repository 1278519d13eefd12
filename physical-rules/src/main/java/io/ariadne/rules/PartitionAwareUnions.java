package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnionExec;
import scala.collection.immutable.Seq;

/**
 * Makes unions that promise a partitioning execute by rows.
 *
 * <p>Since Spark 4.1 ({@code spark.sql.unionOutputPartitioning}) a union of equally partitioned
 * children has their partitioning, and nodes above rely on it instead of an exchange. Only {@code
 * UnionExec.doExecute} combines the children's partitions of the same number. {@code
 * doExecuteColumnar} puts the children's partitions one after the other, so that equal keys are in
 * different partitions. Spark would execute such a union by columns when its children are
 * converted.
 */
final class PartitionAwareUnions {
  private PartitionAwareUnions() {}

  /** Returns a plan in which no union with a partitioning of its own has columns only. */
  static SparkPlan keepRows(SparkPlan plan) {
    List<SparkPlan> children = new ArrayList<>();
    boolean isChanged = false;
    for (SparkPlan child : ScalaCollections.<SparkPlan>list(plan.children())) {
      SparkPlan kept = keepRows(child);
      isChanged |= kept != child;
      children.add(kept);
    }
    if (isPartitionAware(plan) && plan.supportsColumnar()) {
      // One child of rows is enough: Spark then adds transitions to the others.
      SparkPlan first = children.get(0);
      children.set(0, new ProjectExec(columns(first), first));
      isChanged = true;
    }
    return isChanged ? plan.withNewChildren(ScalaCollections.seq(children)) : plan;
  }

  private static Seq<NamedExpression> columns(SparkPlan plan) {
    return ScalaCollections.seq(ScalaCollections.<NamedExpression>list(plan.output()));
  }

  private static boolean isPartitionAware(SparkPlan plan) {
    return plan instanceof UnionExec && !(plan.outputPartitioning() instanceof UnknownPartitioning);
  }
}
