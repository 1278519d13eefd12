package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.file.FilePartitionRdd;
import io.ariadne.bridge.file.FilePartitionReader;
import io.ariadne.bridge.node.CartesianSideRdd;
import io.ariadne.bridge.node.FragmentFunction;
import io.ariadne.bridge.node.FragmentRdd;
import io.ariadne.bridge.node.PartitionFunction;
import io.ariadne.bridge.node.PartitionRdd;
import io.ariadne.bridge.task.TaskSettings;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.metrics.FragmentMetricsPublisher;
import io.ariadne.rules.exec.metrics.ScanNodeMetrics;
import io.ariadne.rules.exec.metrics.SparkNodeMetrics;
import io.ariadne.rules.exec.task.FragmentInput;
import io.ariadne.rules.exec.task.FragmentStart;
import io.ariadne.rules.scan.ParquetScans;
import io.ariadne.rules.scan.ParquetTaskScan;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Makes an RDD of a connected group of our nodes: one fragment per partition of its input. */
final class FragmentExecutor {
  private FragmentExecutor() {}

  // What tasks do. Records, because lambdas cost more to ship.

  private record Files(FragmentStart start) implements FilePartitionReader {
    @Override
    public Iterator<ColumnarBatch> read(FilePartition partition) {
      return start.run(partition.index(), List.of(), List.of(partition));
    }
  }

  private record Input<T>(FragmentStart start) implements PartitionFunction<T, ColumnarBatch> {
    @Override
    public Iterator<ColumnarBatch> apply(int index, Iterator<T> input) {
      return start.run(index, List.of(input), List.of());
    }
  }

  private record Inputs(FragmentStart start) implements FragmentFunction {
    @Override
    public Iterator<ColumnarBatch> apply(
        int index, List<Iterator<?>> inputs, List<FilePartition> files) {
      return start.run(index, inputs, files);
    }
  }

  /**
   * Executes a group, given its topmost node.
   *
   * @param top a prepared node
   * @return batches of our columns, each valid until the next one is requested
   */
  static RDD<ColumnarBatch> execute(AriadneFragmentExec top) {
    ScalaCollections.<SparkPlan>list(top.children()).forEach(FragmentExecutor::awaitSubqueries);
    return execute(top, new FragmentLeaves(), (builder, below) -> below, types(top));
  }

  /**
   * Executes a group, given its topmost node, with more plan nodes for a node of ours above it.
   *
   * @param top a prepared node
   * @param leaves what its leaves read
   * @param above makes the fragment's topmost plan nodes over the group's plan
   * @param types Spark's types of its output
   * @return batches of our columns, each valid until the next one is requested
   */
  static RDD<ColumnarBatch> executeBelow(
      AriadneFragmentExec top,
      FragmentLeaves leaves,
      BiFunction<FragmentBuilder, PlanNode, PlanNode> above,
      DataType[] types) {
    awaitSubqueries(top);
    return execute(top, leaves, above, types);
  }

  /** Spark's expressions are bound here, under the settings of the query. */
  private static RDD<ColumnarBatch> execute(
      AriadneFragmentExec top,
      FragmentLeaves leaves,
      BiFunction<FragmentBuilder, PlanNode, PlanNode> above,
      DataType[] types) {
    return TaskSettings.forQuery(settings(top), () -> fragment(top, leaves, above, types));
  }

  /**
   * Returns the settings under which Spark would generate the fragment's code: those of the session
   * that is active, which are not the plan's where a cached plan has a session of its own; the
   * plan's where none is active, as for an RDD.
   */
  private static SQLConf settings(AriadneFragmentExec top) {
    return SparkSession.getActiveSession().isDefined() ? SQLConf.get() : top.conf();
  }

  private static RDD<ColumnarBatch> fragment(
      AriadneFragmentExec top,
      FragmentLeaves leaves,
      BiFunction<FragmentBuilder, PlanNode, PlanNode> above,
      DataType[] types) {
    FragmentBuilder builder = new FragmentBuilder();
    if (top.isAskedForFiles()) {
      builder.files().ask();
    }
    PlanNode root = above.apply(builder, builder.build(top));
    List<FragmentInput> inputs = builder.inputs().stream().map(FragmentExecutor::input).toList();
    List<ParquetTaskScan> scans = new ArrayList<>();
    for (AriadneScanExec node : builder.scans()) {
      node.scan().waitForSubqueries();
      int index = scans.size();
      scans.add(
          ParquetScans.taskScan(node.scan(), builder.columns(index), builder.predicate(index)));
    }
    FragmentStart start =
        new FragmentStart(
            root,
            new FragmentStart.Leaves(inputs, scans),
            builder.replays(),
            builder.files(),
            publishers(builder, top),
            types);
    return execute(builder, leaves, start, top.sparkContext());
  }

  /** Returns how tasks get an input. Broadcasts the input now if it is a broadcast. */
  private static FragmentInput input(AriadneFragmentExec input) {
    SparkPlan node = input.child();
    return AriadneBroadcastExec.isBroadcast(node)
        ? new FragmentInput(false, node.executeBroadcast())
        : new FragmentInput(input.readsColumns(), null);
  }

  private static RDD<ColumnarBatch> execute(
      FragmentBuilder builder, FragmentLeaves leaves, FragmentStart start, SparkContext context) {
    List<List<FilePartition>> files = new ArrayList<>();
    for (AriadneScanExec scan : builder.scans()) {
      files.add(leaves.files(scan, builder.demandsOneTask()));
    }
    List<RDD<?>> rdds = new ArrayList<>();
    for (AriadneFragmentExec input : builder.inputs()) {
      if (!AriadneBroadcastExec.isBroadcast(input.child())) {
        rdds.add(rows(builder, leaves, input));
      }
    }
    if (files.size() + rdds.size() == 0) {
      throw new IllegalStateException("a fragment without inputs");
    }
    if (files.size() + rdds.size() > 1) {
      return new FragmentRdd(context, rdds, files, count(rdds, files), new Inputs(start));
    }
    return rdds.isEmpty()
        ? new FilePartitionRdd(context, files.get(0), new Files(start))
        : new PartitionRdd<>(rdds.get(0), new Input<>(start), FragmentLeaves.BATCHES);
  }

  private static RDD<?> rows(
      FragmentBuilder builder, FragmentLeaves leaves, AriadneFragmentExec input) {
    boolean isOneTask = builder.demandsOneTask();
    RDD<?> rows = leaves.rows(input, isOneTask);
    if (builder.rightOf(input) != null) {
      int others = leaves.rows(builder.rightOf(input), isOneTask).getNumPartitions();
      return CartesianSideRdd.of(rows, others, true);
    }
    if (builder.leftOf(input) != null) {
      int others = leaves.rows(builder.leftOf(input), isOneTask).getNumPartitions();
      return CartesianSideRdd.of(rows, others, false);
    }
    return rows;
  }

  /** Returns the number of partitions, which all leaves have. */
  private static int count(List<RDD<?>> rdds, List<List<FilePartition>> files) {
    List<Integer> counts = new ArrayList<>();
    rdds.forEach(rdd -> counts.add(rdd.getNumPartitions()));
    files.forEach(partitions -> counts.add(partitions.size()));
    if (counts.stream().distinct().count() != 1) {
      throw new IllegalStateException("a fragment over inputs with " + counts + " partitions");
    }
    return counts.get(0);
  }

  /** The topmost node's own subqueries were awaited by Spark; those below run with it. */
  private static void awaitSubqueries(SparkPlan plan) {
    if (plan instanceof AriadneFragmentExec) {
      plan.waitForSubqueries();
      ScalaCollections.<SparkPlan>list(plan.children()).forEach(FragmentExecutor::awaitSubqueries);
    }
  }

  private static List<FragmentMetricsPublisher> publishers(
      FragmentBuilder builder, AriadneFragmentExec top) {
    List<FragmentMetricsPublisher> publishers = new ArrayList<>();
    addPublishers(builder, top, publishers);
    return publishers;
  }

  /** A node that needs no plan node of its own shows the output of the node below it. */
  private static void addPublishers(
      FragmentBuilder builder,
      AriadneFragmentExec exec,
      List<FragmentMetricsPublisher> publishers) {
    List<Integer> own = builder.numbersOf(exec);
    AriadneFragmentExec shown = exec;
    while (builder.numbersOf(shown).isEmpty()) {
      shown = (AriadneFragmentExec) shown.child();
    }
    List<Integer> numbers = builder.numbersOf(shown);
    publishers.add(
        new SparkNodeMetrics(
            numbers.get(numbers.size() - 1),
            own,
            metric(exec, "numOutputRows"),
            metric(exec, "numOutputBatches"),
            metric(exec, AriadneFragmentExec.TIME_KEY),
            exec.keptBatchMetrics()));
    if (exec instanceof AriadneScanExec scan) {
      publishers.add(ScanNodeMetrics.of(scan::longMetric, scan.scan(), own.get(0)));
    }
    for (SparkPlan child : ScalaCollections.<SparkPlan>list(exec.children())) {
      if (child instanceof AriadneFragmentExec fragment && !exec.endsFragment()) {
        addPublishers(builder, fragment, publishers);
      }
    }
  }

  private static SQLMetric metric(SparkPlan plan, String key) {
    return plan.longMetric(key);
  }

  private static DataType[] types(SparkPlan plan) {
    return ScalaCollections.<Attribute>list(plan.output()).stream()
        .map(Attribute::dataType)
        .toArray(DataType[]::new);
  }
}
