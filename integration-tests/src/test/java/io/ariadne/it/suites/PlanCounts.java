package io.ariadne.it.suites;

import io.ariadne.rules.ExecutedPlan;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;

/**
 * Counts the plans that ran in this process, and those with a node of Ariadne's: a suite without
 * any says nothing about Ariadne. Spark makes one per session that names it in {@code
 * spark.extraListeners}, which none of Spark's tests looks at.
 */
public final class PlanCounts extends SparkListener {
  private static final AtomicInteger ALL = new AtomicInteger();
  private static final AtomicInteger OURS = new AtomicInteger();

  /** Created by Spark. */
  public PlanCounts() {}

  /** Counts a query that came to a good end: of others there may be no plan. */
  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionEnd end
        && end.executionFailure().isEmpty()
        && end.qe() != null) {
      count(end.qe());
    }
  }

  private static void count(QueryExecution query) {
    ALL.incrementAndGet();
    if (!ExecutedPlan.of(query.executedPlan()).nodes().isEmpty()) {
      OURS.incrementAndGet();
    }
  }

  static int all() {
    return ALL.get();
  }

  static int ours() {
    return OURS.get();
  }
}
