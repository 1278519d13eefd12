package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.operator.limit.LimitOperatorFactory;
import io.ariadne.plan.LimitNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.AllTuples$;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnspecifiedDistribution$;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Returns the first rows of each partition, without as many rows as an offset says: Spark's limits
 * on Ariadne. The fragment ends when it has enough rows.
 */
public final class AriadneLimitExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  private final int limit;
  private final int offset;
  private final boolean global;

  /**
   * Creates the node.
   *
   * @param limit how many rows are read, including the rows of the offset; -1 for all
   * @param offset how many of these rows, from the first, are dropped
   * @param global whether the child has to have one partition
   * @param child the input, one of our nodes
   */
  public AriadneLimitExec(int limit, int offset, boolean global, SparkPlan child) {
    super(child, new Object[] {limit, offset, global});
    this.limit = limit;
    this.offset = offset;
    this.global = global;
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    PlanNode input = builder.build(child());
    long count = limit < 0 ? LimitOperatorFactory.ALL : Math.max(0, limit - offset);
    return new LimitNode(builder.number(this), input, offset, count);
  }

  @Override
  public NodeConversion explainConversion() {
    return NodeConversion.passing(childColumns());
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(childColumns());
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }

  @Override
  public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return ScalaCollections.seq(ScalaCollections.<SortOrder>list(child().outputOrdering()));
  }

  @Override
  public scala.collection.immutable.Seq<Distribution> requiredChildDistribution() {
    return ScalaCollections.seq(
        List.of(global ? AllTuples$.MODULE$ : UnspecifiedDistribution$.MODULE$));
  }
}
