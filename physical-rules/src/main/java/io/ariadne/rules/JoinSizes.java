package io.ariadne.rules;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneBroadcastExchangeExec;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.BroadcastQueryStageExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;

/**
 * Returns how large the sides of a join are: as measured in finished stages, else as Spark
 * estimates.
 */
final class JoinSizes {
  /** Bytes of a broadcast that is kept in memory as a whole, once in a process. */
  static final long MAX_BROADCAST_BYTES = 32L << 20;

  /** The most bytes that one task of a cluster reads instead of all tasks. */
  static final long MAX_ONE_TASK_BYTES = 256L << 20;

  /**
   * The most bytes that one task of a cluster reads, multiplied by the bytes of the broadcast that
   * it joins them with. For more bytes, Spark's executors together are faster, though they process
   * rows.
   */
  static final long MAX_ONE_TASK_PRODUCT = 1L << 44;

  /** The most bytes of Spark's rows that one thread reads instead of one thread per partition. */
  static final long MAX_ONE_THREAD_BYTES = OnePartitionRule.SMALL_SCAN_BYTES;

  private JoinSizes() {}

  /** Returns whether the first of two inputs is the smaller one, as far as is known. */
  static boolean isSmaller(SparkPlan one, SparkPlan other) {
    return bytes(one).compareTo(bytes(other)) < 0;
  }

  /**
   * Returns why one task should not join all partitions of an input with a whole broadcast, or
   * empty. In local mode all compute threads work for that task; in a cluster only the threads of
   * one executor do.
   */
  static Optional<String> reasonAgainstOneTask(SparkPlan input, SparkPlan build) {
    return reasonAgainstOneTask(
        input.sparkContext().isLocal(), bytes(input), broadcastBytes(build));
  }

  /**
   * Returns why one task should not join so much, or empty.
   *
   * @param isLocal whether the task's process has all compute threads
   * @param bytes bytes of all partitions
   * @param broadcast bytes of the broadcast, each row of which may pair with each of their rows
   */
  static Optional<String> reasonAgainstOneTask(
      boolean isLocal, BigInteger bytes, BigInteger broadcast) {
    if (isLocal) {
      return Optional.empty();
    }
    return isAtMost(bytes, MAX_ONE_TASK_BYTES)
            && isAtMost(bytes.multiply(broadcast), MAX_ONE_TASK_PRODUCT)
        ? Optional.empty()
        : Optional.of(
            "one task would read %s bytes for a broadcast of %s, or a size is not known"
                .formatted(bytes, broadcast));
  }

  /** Returns why one thread should not read all partitions of a plan in rows, or empty. */
  static Optional<String> reasonAgainstOneThread(SparkPlan rows) {
    BigInteger bytes = bytes(rows);
    return isAtMost(bytes, MAX_ONE_THREAD_BYTES)
        ? Optional.empty()
        : Optional.of(
            "one thread would read " + bytes + " bytes in rows, or their size is not known");
  }

  private static boolean isAtMost(BigInteger bytes, long most) {
    return bytes.compareTo(BigInteger.valueOf(most)) <= 0;
  }

  /** Returns how many rows a broadcast may have that our joins read. */
  static long mostBroadcastRows(SparkPlan build) {
    return MAX_BROADCAST_BYTES / Math.max(bytesPerRow(build), 1);
  }

  /** Returns why a process should not keep a broadcast, or empty. */
  static Optional<String> reasonAgainstBroadcast(SparkPlan build) {
    BigInteger bytes = broadcastBytes(build);
    return isAtMost(bytes, MAX_BROADCAST_BYTES)
        ? Optional.empty()
        : Optional.of("the broadcast has " + bytes + " bytes, or its size is not known");
  }

  /**
   * Of finished stages rows are counted, as Spark measures pages of a map, of which there may be
   * one for a few rows. Of rows in columns their own bytes are known, too: strings may be long.
   */
  private static BigInteger broadcastBytes(SparkPlan build) {
    Optional<QueryStageExec> finished =
        stageOf(build).filter(stage -> stage.getRuntimeStatistics().rowCount().isDefined());
    if (finished.isEmpty()) {
      return bytes(build);
    }
    Statistics measured = finished.get().getRuntimeStatistics();
    BigInteger rows = measured.rowCount().get().bigInteger();
    BigInteger counted = rows.multiply(BigInteger.valueOf(bytesPerRow(build)));
    return isBroadcastOfOurs(finished.get())
        ? counted.max(measured.sizeInBytes().bigInteger())
        : counted;
  }

  private static boolean isBroadcastOfOurs(QueryStageExec stage) {
    return stage instanceof BroadcastQueryStageExec broadcast
        && broadcast.broadcast() instanceof AriadneBroadcastExchangeExec;
  }

  private static long bytesPerRow(SparkPlan plan) {
    return ScalaCollections.<Attribute>list(plan.output()).stream()
        .mapToLong(attribute -> Math.max(attribute.dataType().defaultSize(), Long.BYTES))
        .sum();
  }

  private static BigInteger bytes(SparkPlan plan) {
    Optional<QueryStageExec> stage = stageOf(plan);
    if (stage.isPresent()) {
      return stage.get().getRuntimeStatistics().sizeInBytes().bigInteger();
    }
    return plan.logicalLink().isDefined()
        ? plan.logicalLink().get().stats().sizeInBytes().bigInteger()
        : children(plan).stream().map(JoinSizes::bytes).reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** Returns the finished stage that a plan reads, with nodes of one child in between. */
  private static Optional<QueryStageExec> stageOf(SparkPlan plan) {
    if (plan instanceof QueryStageExec stage) {
      return stage.isMaterialized() ? Optional.of(stage) : Optional.empty();
    }
    return children(plan).size() == 1 ? stageOf(children(plan).get(0)) : Optional.empty();
  }

  private static List<SparkPlan> children(SparkPlan plan) {
    return ScalaCollections.list(plan.children());
  }
}
