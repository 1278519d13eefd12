package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.SparkLine;
import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.bridge.node.AriadneBroadcastExchangeExec;
import io.ariadne.bridge.node.ColumnarBroadcasts;
import io.ariadne.bridge.node.PartitionJob;
import io.ariadne.columnar.type.Schema;
import io.ariadne.rules.broadcast.BlockCollection;
import io.ariadne.rules.broadcast.BroadcastForm;
import io.ariadne.rules.broadcast.ColumnarRows;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.catalyst.plans.physical.BroadcastMode;
import org.apache.spark.sql.catalyst.plans.physical.IdentityBroadcastMode$;
import org.apache.spark.sql.errors.QueryExecutionErrors;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec$;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.HashedRelationBroadcastMode;
import org.apache.spark.sql.execution.metric.SQLMetrics;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.util.io.ChunkedByteBuffer;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Collects the rows of a fragment and broadcasts them, with the limits, metrics and errors of
 * Spark's {@code BroadcastExchangeExec}. Used on Spark's driver.
 *
 * @param schema the columns of the rows
 * @param types Spark's types of the columns
 * @param mostRows the most rows of a columnar value; with more rows the value is Spark's own,
 *     because few of Ariadne's joins would read it
 * @param mostBytes the same limit in bytes
 */
record BroadcastRelations(Schema schema, List<DataType> types, long mostRows, long mostBytes)
    implements ColumnarBroadcasts {
  /** Most rows of Spark's own relations, in which its joins can look rows up. */
  private static final long MAX_ROWS = (long) ((1 << 29) / 1.5);

  private static final long MAX_ROWS_OF_OTHERS = 512_000_000;

  private static final ClassTag<Tuple2<Object, ChunkedByteBuffer>> PACKED =
      ClassTag$.MODULE$.apply(Tuple2.class);

  /** Copies the list. */
  BroadcastRelations {
    types = List.copyOf(types);
  }

  /**
   * Returns why rows had better not be broadcast as columns, or empty. Keys travel with the rows,
   * which those with a query or code of users in them need not be able to.
   */
  static Optional<String> reasonAgainst(BroadcastMode mode) {
    if (mode == IdentityBroadcastMode$.MODULE$) {
      return Optional.empty();
    }
    if (!(mode instanceof HashedRelationBroadcastMode)) {
      return Optional.of("what Spark makes of its rows is not known");
    }
    return BroadcastForm.keysOf(mode).stream().allMatch(BroadcastRelations::travels)
        ? Optional.empty()
        : Optional.of("its keys have a query or a user's function in them");
  }

  private static boolean travels(Expression key) {
    return !(key instanceof PlanExpression<?>)
        && !(key instanceof UserDefinedExpression)
        && ScalaCollections.<Expression>list(key.children()).stream()
            .allMatch(BroadcastRelations::travels);
  }

  /** Returns a plan of the same rows that Spark's broadcast would collect. */
  @Override
  public SparkPlan rowsOf(SparkPlan input) {
    return new AriadneColumnarToRowExec(input);
  }

  @Override
  public ExecutorService executor() {
    return BroadcastExchangeExec$.MODULE$.executionContext();
  }

  @Override
  public Broadcast<Object> create(AriadneBroadcastExchangeExec node) {
    long start = System.nanoTime();
    BlockCollection collected = collect(node);
    set(node, "numOutputRows", collected.rowCount());
    set(node, "collectTime", millisSince(start));
    BroadcastForm form = new BroadcastForm(node.mode(), schema, types);
    checkRows(collected.rowCount(), form);
    checkBytes(collected.sizeInBytes());
    long gathered = System.nanoTime();
    Object value = collected.value(form, mostRows, mostBytes);
    node.keep(value);
    set(node, "buildTime", millisSince(gathered));
    set(node, "dataSize", bytes(value));
    checkBytes(bytes(value));
    long built = System.nanoTime();
    SparkContext context = node.sparkContext();
    Broadcast<Object> broadcast = context.broadcastInternal(value, true, ClassTag$.MODULE$.Any());
    set(node, "broadcastTime", millisSince(built));
    SQLMetrics.postDriverMetricUpdates(
        context,
        context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY()),
        node.metrics().values().toSeq());
    return broadcast;
  }

  private BlockCollection collect(AriadneBroadcastExchangeExec node) {
    return BlockCollection.of(
        PartitionJob.run(
            node.child().executeColumnar(), new BlockCollection.Packing(schema), PACKED));
  }

  private static long bytes(Object value) {
    if (value instanceof ColumnarRows rows) {
      return rows.sizeInBytes();
    }
    return value instanceof InternalRow[] rows
        ? Arrays.stream(rows).mapToLong(row -> ((UnsafeRow) row).getSizeInBytes()).sum()
        : ((HashedRelation) value).estimatedSize();
  }

  private static void checkRows(long rows, BroadcastForm form) {
    long limit = form.isLong() || form.isArray() ? MAX_ROWS_OF_OTHERS : MAX_ROWS;
    if (rows >= limit) {
      throw UndeclaredExceptions.raise(
          QueryExecutionErrors.cannotBroadcastTableOverMaxTableRowsError(limit, rows));
    }
  }

  private static void checkBytes(long bytes) {
    long limit = SparkLine.maxBroadcastBytes();
    if (bytes >= limit) {
      throw UndeclaredExceptions.raise(
          QueryExecutionErrors.cannotBroadcastTableOverMaxTableBytesError(limit, bytes));
    }
  }

  /** Adds Spark's advice to a lack of memory on Spark's driver. */
  @Override
  public Throwable failure(Throwable cause) {
    return cause instanceof OutOfMemoryError e
        ? QueryExecutionErrors.notEnoughMemoryToBuildAndBroadcastTableError(
            e, ScalaCollections.seq(List.of()))
        : cause;
  }

  private static void set(AriadneBroadcastExchangeExec node, String metric, long value) {
    node.longMetric(metric).add(value);
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
