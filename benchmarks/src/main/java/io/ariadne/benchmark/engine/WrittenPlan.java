package io.ariadne.benchmark.engine;

import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.util.QueryExecutionListener;

/**
 * Receives the plan of a write, which Spark makes beside that of the dataset that is written.
 * Thread-safe.
 */
final class WrittenPlan implements QueryExecutionListener {
  private volatile SparkPlan plan;

  @Override
  public void onSuccess(String action, QueryExecution execution, long nanos) {
    plan = execution.executedPlan();
  }

  @Override
  public void onFailure(String action, QueryExecution execution, Exception exception) {
    plan = execution.executedPlan();
  }

  /** Returns the plan of the last query that Spark has reported. */
  SparkPlan plan() {
    return plan;
  }
}
