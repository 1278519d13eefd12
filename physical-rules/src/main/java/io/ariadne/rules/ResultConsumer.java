package io.ariadne.rules;

import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.command.ExplainCommand;

/** Who gets the rows of a plan, as far as that is known while it is planned. */
final class ResultConsumer {
  private ResultConsumer() {}

  /**
   * Returns whether the rows go to the driver and nobody sees their partitions. Actions like {@code
   * collect} begin an execution before they plan; a command (it writes) is the query of its own
   * execution; an RDD of the rows is planned outside of any, and so is what is cached, unless that
   * is a command.
   *
   * @param plan being planned on this thread
   */
  static boolean isDriver(SparkPlan plan) {
    SparkContext context = plan.sparkContext();
    String id = context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY());
    QueryExecution execution =
        id == null ? null : SQLExecution.getQueryExecution(Long.parseLong(id));
    return execution != null
        && (!(execution.logical() instanceof Command)
            || execution.logical() instanceof ExplainCommand);
  }
}
