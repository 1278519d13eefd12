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
 * Who gets the rows of a plan, as far as that is known while it is planned.
 *
 * <p>Actions that collect begin an execution before they plan. So do others that want partitions:
 * {@code toLocalIterator}, whose caller has room for one at a time, {@code checkpoint}, which keeps
 * them, and writers of other formats. What tells them apart is only the calling thread's stack,
 * where Spark, too, finds the names of actions. Who is not known there counts as one who wants
 * partitions.
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
   * Methods that plan and take all rows to the driver at once, by class: of 3.5, 4, and the shell.
   */
  private static final Map<String, Set<String>> ACTIONS =
      Map.of(
          "org.apache.spark.sql.Dataset", COLLECTING,
          "org.apache.spark.sql.classic.Dataset", COLLECTING,
          "org.apache.spark.sql.hive.thriftserver.SparkSQLDriver", Set.of("run"));

  /** What plans and executes what is cached, its lambdas included. */
  private static final String CACHE = "org.apache.spark.sql.execution.columnar.CachedRDDBuilder";

  private ResultConsumer() {}

  /**
   * Returns whether the rows go to the driver, all at once, and nobody sees their partitions; or
   * would, if the plan is only explained.
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
   * Returns how many bytes of files the driver may want all rows of in order: as many as it takes
   * of one job. Of more files few rows are left, which several tasks filter as well as one, or the
   * job fails, as it would with several tasks.
   */
  static long mostBytes(SparkConf conf) {
    long most = conf.getSizeAsBytes("spark.driver.maxResultSize", "1g");
    return most == 0 ? Long.MAX_VALUE : most;
  }

  /** The nearest that is known counts: a query that is collected may fill a cache first. */
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
