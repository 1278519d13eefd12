package io.ariadne.rules;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.plans.logical.Command;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.command.ExplainCommand;

/**
 * Finds out, while a plan is planned, whether Spark's driver collects all of its rows at once.
 *
 * <p>Actions that collect begin an execution before they plan. So do actions that need partitions:
 * {@code toLocalIterator}, whose caller holds one partition at a time, {@code checkpoint}, which
 * keeps them, and writers of other formats. Only the calling thread's stack tells these actions
 * apart; Spark finds the names of actions there, too. An unknown action counts as an action that
 * needs partitions.
 *
 * <p>Limitation: the answer is that of the action that plans. A Dataset caches its plan, so a later
 * action on the same Dataset reuses it. {@code toLocalIterator} or {@code checkpoint} after {@code
 * collect} gets the one partition that was planned for {@code collect}, and {@code collect} after
 * {@code toLocalIterator} keeps Spark's partitions. {@code count} and {@code show} plan Datasets of
 * their own.
 */
final class ResultConsumer {
  private static final Set<String> COLLECTING =
      Set.of(
          "collect",
          "collectAsList",
          "collectToPython",
          "collectAsArrowToPython",
          "collectAsArrowToR");

  /**
   * Methods that plan and take all rows to Spark's driver at once, by class: Spark 3.5, 4, shell.
   */
  private static final Map<String, Set<String>> ACTIONS =
      Map.of(
          "org.apache.spark.sql.Dataset", COLLECTING,
          "org.apache.spark.sql.classic.Dataset", COLLECTING,
          "org.apache.spark.sql.hive.thriftserver.SparkSQLDriver", Set.of("run"));

  /** The class, with its lambdas, that plans and executes a query whose rows are cached. */
  private static final String CACHE = "org.apache.spark.sql.execution.columnar.CachedRDDBuilder";

  private ResultConsumer() {}

  /**
   * Returns whether Spark's driver collects all rows at once, so that their partitions are not
   * visible. For a plan that is only explained, assumes that it is collected.
   *
   * @param plan being planned on this thread
   */
  static boolean isDriver(SparkPlan plan) {
    return execution(plan)
        .map(QueryExecution::logical)
        .filter(
            query ->
                query instanceof ExplainCommand || (!(query instanceof Command) && isCollecting()))
        .isPresent();
  }

  /** Returns the execution within which a plan is planned on this thread, or empty for none. */
  static Optional<QueryExecution> execution(SparkPlan plan) {
    SparkContext context = plan.sparkContext();
    return Optional.ofNullable(context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY()))
        .map(id -> SQLExecution.getQueryExecution(Long.parseLong(id)));
  }

  /**
   * Returns the most bytes of files whose rows one task may sort for Spark's driver: the limit of
   * one job's result. Of larger files either few rows pass the filters, which several tasks apply
   * as well as one task, or the job fails, as it would with several tasks.
   */
  static long mostBytes(SparkConf conf) {
    long most = conf.getSizeAsBytes("spark.driver.maxResultSize", "1g");
    return most == 0 ? Long.MAX_VALUE : most;
  }

  /** Decides by the nearest known frame: a query that is collected may fill a cache first. */
  private static boolean isCollecting() {
    return StackWalker.getInstance()
        .walk(frames -> frames.filter(frame -> isCache(frame) || isCollecting(frame)).findFirst())
        .filter(frame -> !isCache(frame))
        .isPresent();
  }

  private static boolean isCache(StackWalker.StackFrame frame) {
    return frame.getClassName().startsWith(CACHE);
  }

  private static boolean isCollecting(StackWalker.StackFrame frame) {
    return ACTIONS.getOrDefault(frame.getClassName(), Set.of()).contains(frame.getMethodName());
  }
}
