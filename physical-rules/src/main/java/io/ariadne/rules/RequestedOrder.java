package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.command.ExplainCommand;

/**
 * Tells whether a query asks for an order of rows. The physical plan alone does not say: Spark
 * removes sorts from it that the order of a join makes needless.
 */
final class RequestedOrder {
  private RequestedOrder() {}

  /**
   * Returns whether the query may ask for an order: it sorts somewhere, or the plan's query is not
   * known, because the plan is cached, becomes an RDD, or belongs to a command that hides it.
   *
   * @param plan being planned on this thread
   */
  static boolean mayBeAsked(SparkPlan plan) {
    return execution(plan)
        .map(RequestedOrder::query)
        .map(query -> hidesItsQuery(query) || sortsAnywhere(query))
        .orElse(true);
  }

  /** Returns the execution within which a plan is planned on this thread, or empty for none. */
  private static Optional<QueryExecution> execution(SparkPlan plan) {
    SparkContext context = plan.sparkContext();
    return Optional.ofNullable(context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY()))
        .map(id -> SQLExecution.getQueryExecution(Long.parseLong(id)));
  }

  /** Returns what the query is; writes sort by partitions of files where they are optimised. */
  private static LogicalPlan query(QueryExecution execution) {
    return execution.logical() instanceof ExplainCommand explained
        ? explained.logicalPlan()
        : execution.optimizedPlan();
  }

  private static boolean hidesItsQuery(LogicalPlan query) {
    return query instanceof Command && query.children().isEmpty();
  }

  private static boolean sortsAnywhere(LogicalPlan query) {
    return Stream.concat(
            Stream.of(query), ScalaCollections.<LogicalPlan>list(query.subqueriesAll()).stream())
        .anyMatch(RequestedOrder::sorts);
  }

  private static boolean sorts(LogicalPlan plan) {
    return plan instanceof Sort
        || ScalaCollections.<LogicalPlan>list(plan.children()).stream()
            .anyMatch(RequestedOrder::sorts);
  }
}
