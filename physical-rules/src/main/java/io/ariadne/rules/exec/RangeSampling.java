package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.bridge.node.PartitionJob;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.operator.sort.RowKeys;
import io.ariadne.operator.sort.SortColumn;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.rules.exec.task.KeySample;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.ExchangeTranslation;
import io.ariadne.rules.exec.translation.SortTranslation;
import io.ariadne.rules.expression.ConversionScope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.apache.spark.RangePartitioner;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Tuple2;
import scala.collection.mutable.ArrayBuffer;
import scala.math.Ordering;
import scala.math.Ordering$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Finds the bounds of an exchange by ranges, as Spark's {@code RangePartitioner} does. A job takes
 * a sample of the keys of each partition below. A second job takes larger samples of the partitions
 * that have too many rows for their samples. Spark's driver weighs each key by the rows that it
 * represents. The keys are compared in the order by which rows are placed and sorted. Used on
 * Spark's driver, by one thread.
 */
final class RangeSampling {
  /** How many more rows than needed are taken of each partition, as some have fewer. */
  private static final double SURPLUS = 3.0;

  private static final double MOST_ROWS = 1e6;

  private static final ClassTag<byte[]> BYTES = ClassTag$.MODULE$.apply(byte[].class);
  private static final ClassTag<Object[]> KEYS = ClassTag$.MODULE$.apply(Object[].class);

  private final AriadneShuffleExchangeExec node;
  private final List<SortOrder> order;
  private final int partitions;
  private final Set<String> disabled;

  /** The keys in the sampled batches. */
  private final List<SortColumn> columns = new ArrayList<>();

  /**
   * Prepares.
   *
   * @param node the exchange
   * @param partitioning its partitioning
   * @param disabled names of expressions that were switched off at planning
   */
  RangeSampling(
      AriadneShuffleExchangeExec node, RangePartitioning partitioning, Set<String> disabled) {
    this.node = node;
    this.order = ExchangeTranslation.order(partitioning);
    this.partitions = partitioning.numPartitions();
    this.disabled = disabled;
    for (SortOrder key : order) {
      columns.add(new SortColumn(columns.size(), SortTranslation.direction(key)));
    }
  }

  /**
   * Returns the bounds in order. There is at most one fewer than partitions; there are fewer bounds
   * when there are fewer distinct keys, and none without rows.
   *
   * @param leaves what the leaves of the group below read
   */
  List<Object[]> bounds(FragmentLeaves leaves) {
    if (partitions == 1) {
      return List.of();
    }
    Schema schema = keys(AttributeSchemas.placeholder(input()), () -> 0, trial()).schema();
    RDD<ColumnarBatch> rows =
        FragmentExecutor.executeBelow(
            (AriadneFragmentExec) node.child(),
            leaves,
            (builder, below) ->
                ColumnPruning.prune(
                    keys(below, () -> builder.number(node), builder.scope(disabled, below)),
                    builder),
            SparkTypes.columnTypes(SparkTypes.structType(schema.fields())));
    ArrayBuffer<Tuple2<Object[], Object>> weighed = weighed(rows, schema);
    Ordering<Object[]> ordering =
        Ordering$.MODULE$.comparatorToOrdering((a, b) -> RowKeys.compare(columns, a, b));
    int most = Math.min(partitions, weighed.size());
    return Arrays.asList(
        (Object[][]) RangePartitioner.determineBounds(weighed, most, ordering, KEYS));
  }

  private ConversionScope trial() {
    return ConversionScope.trial(disabled);
  }

  private List<Attribute> input() {
    return ScalaCollections.list(node.child().output());
  }

  /** Returns a plan whose output has only the keys. */
  private PlanNode keys(PlanNode below, IntSupplier numbers, ConversionScope scope) {
    return SortTranslation.convertKeyed(
            order,
            input(),
            below,
            numbers,
            scope,
            (keyed, keys) -> keysAlone(numbers.getAsInt(), keyed, keys))
        .node()
        .orElseThrow(
            () ->
                new EngineException(
                    ErrorCode.INTERNAL, node.nodeName() + " has keys that cannot be translated"));
  }

  private PlanNode keysAlone(int id, PlanNode keyed, List<SortColumn> keys) {
    List<Expression> expressions = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (SortColumn key : keys) {
      Field field = keyed.schema().field(key.column());
      expressions.add(new ColumnReference(key.column(), field.type(), field.nullable()));
      fields.add(field);
    }
    return new ProjectNode(id, keyed, expressions, new Schema(fields), ExpressionError.NO_ORIGIN);
  }

  /** Returns sampled keys, each with the number of rows that it represents. */
  private ArrayBuffer<Tuple2<Object[], Object>> weighed(RDD<ColumnarBatch> rows, Schema schema) {
    int inputs = rows.getNumPartitions();
    double wanted =
        Math.min(
            (double) SQLConf.get().rangeExchangeSampleSizePerPartition() * partitions, MOST_ROWS);
    int size = (int) Math.ceil(SURPLUS * wanted / inputs);
    List<KeySample> samples = new ArrayList<>();
    long rowCount = 0;
    for (byte[] bytes : PartitionJob.run(rows, task(schema, any -> size), BYTES)) {
      samples.add(KeySample.of(bytes));
      rowCount += samples.get(samples.size() - 1).rowCount();
    }
    double fraction = Math.min(wanted / Math.max(rowCount, 1), 1.0);
    enlarge(samples, rows, schema, fraction, size);
    ArrayBuffer<Tuple2<Object[], Object>> weighed = new ArrayBuffer<>();
    for (KeySample sample : samples) {
      float weight = (float) ((double) sample.rowCount() / sample.keys().size());
      sample.keys().forEach(key -> weighed.$plus$eq(new Tuple2<>(key, weight)));
    }
    return weighed;
  }

  /** Takes larger samples of the partitions that have too many rows for their samples. */
  private void enlarge(
      List<KeySample> samples, RDD<ColumnarBatch> rows, Schema schema, double fraction, int size) {
    Map<Integer, Integer> shares = new TreeMap<>();
    for (int i = 0; i < samples.size(); i++) {
      double share = fraction * samples.get(i).rowCount();
      if (share > size) {
        shares.put(i, (int) Math.ceil(share));
      }
    }
    if (shares.isEmpty()) {
      return;
    }
    List<Integer> large = List.copyOf(shares.keySet());
    List<byte[]> enlarged = PartitionJob.run(rows, task(schema, shares::get), large, BYTES);
    for (int i = 0; i < enlarged.size(); i++) {
      samples.set(large.get(i), KeySample.of(enlarged.get(i)));
    }
  }

  private KeySample.Task task(Schema schema, KeySample.Sizes sizes) {
    return new KeySample.Task(schema, columns, sizes);
  }
}
