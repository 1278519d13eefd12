package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.operator.sort.SortColumn;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.SortNode;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.exec.translation.SortTranslation;
import io.ariadne.rules.expression.ConversionScope;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.execution.SortExec;
import org.apache.spark.sql.execution.SparkPlan;

/** Sorts the rows of each partition: Spark's {@code SortExec} on Ariadne. */
public final class AriadneSortExec extends AriadneOrderingExec {
  private static final long serialVersionUID = 1L;

  private final boolean global;

  /**
   * Creates the node.
   *
   * @param sortOrder Spark's order over the child's columns
   * @param global whether the partitions, one after the other, also have this order
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   */
  public AriadneSortExec(
      scala.collection.immutable.Seq<SortOrder> sortOrder,
      boolean global,
      String disabled,
      SparkPlan child) {
    super(sortOrder, disabled, child, new Object[] {sortOrder, global, disabled});
    this.global = global;
  }

  @Override
  boolean keepsBatches() {
    return true;
  }

  @Override
  PlanNode planNode(int number, PlanNode below, List<SortColumn> keys) {
    return new SortNode(number, below, keys);
  }

  /** Tries the translation of a sort. */
  public static NodeConversion tryConvert(
      List<SortOrder> order, List<Attribute> columns, ConversionScope scope) {
    return SortTranslation.tryConvert(
        order, columns, scope, (below, keys) -> new SortNode(0, below, keys));
  }

  @Override
  public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return ScalaCollections.seq(ScalaCollections.<SortOrder>list(spark().outputOrdering()));
  }

  @Override
  public scala.collection.immutable.Seq<Distribution> requiredChildDistribution() {
    return ScalaCollections.seq(
        ScalaCollections.<Distribution>list(spark().requiredChildDistribution()));
  }

  private SortExec spark() {
    return new SortExec(sortOrder(), global, child(), 0);
  }
}
