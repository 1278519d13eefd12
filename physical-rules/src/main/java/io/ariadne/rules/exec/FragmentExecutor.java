package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.file.FilePartitionRdd;
import io.ariadne.bridge.file.FilePartitionReader;
import io.ariadne.bridge.node.OnePartitionExec;
import io.ariadne.bridge.node.PartitionFunction;
import io.ariadne.bridge.node.PartitionRdd;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.scan.CoarsePartitions;
import io.ariadne.rules.scan.ParquetScans;
import io.ariadne.rules.scan.ParquetTaskScan;
import io.ariadne.rules.scan.PartitionLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Makes an RDD of a connected group of our nodes: one fragment per partition of its input. */
final class FragmentExecutor {
  private static final ClassTag<ColumnarBatch> BATCHES =
      ClassTag$.MODULE$.apply(ColumnarBatch.class);
  private static final ClassTag<InternalRow> ROWS = ClassTag$.MODULE$.apply(InternalRow.class);

  private FragmentExecutor() {}

  // What tasks do. Records, because lambdas cost more to ship.

  private record Files(FragmentStart start, ParquetTaskScan scan) implements FilePartitionReader {
    @Override
    public Iterator<ColumnarBatch> read(FilePartition partition) {
      return start.runFiles(scan, partition);
    }
  }

  private record Columns(FragmentStart start)
      implements PartitionFunction<ColumnarBatch, ColumnarBatch> {
    @Override
    public Iterator<ColumnarBatch> apply(int index, Iterator<ColumnarBatch> input) {
      return start.runColumns(index, input);
    }
  }

  private record Rows(FragmentStart start)
      implements PartitionFunction<InternalRow, ColumnarBatch> {
    @Override
    public Iterator<ColumnarBatch> apply(int index, Iterator<InternalRow> input) {
      return start.runRows(index, input);
    }
  }

  /**
   * Executes the group whose topmost node this is.
   *
   * @param top a prepared node
   * @return batches of our columns, each valid until the next one is asked for
   */
  static RDD<ColumnarBatch> execute(AriadneFragmentExec top) {
    awaitSubqueries(top.child());
    return execute(top, (builder, below) -> below, types(top));
  }

  /**
   * Executes the group whose topmost node this is, for a node of ours above it.
   *
   * @param top a prepared node
   * @param above makes the fragment's topmost plan nodes of what is below
   * @param types Spark's types of its output
   * @return batches of our columns, each valid until the next one is asked for
   */
  static RDD<ColumnarBatch> executeBelow(
      AriadneFragmentExec top,
      BiFunction<FragmentBuilder, PlanNode, PlanNode> above,
      DataType[] types) {
    awaitSubqueries(top);
    return execute(top, above, types);
  }

  private static RDD<ColumnarBatch> execute(
      AriadneFragmentExec top,
      BiFunction<FragmentBuilder, PlanNode, PlanNode> above,
      DataType[] types) {
    FragmentBuilder builder = new FragmentBuilder();
    if (top.isAskedForFiles()) {
      builder.files().ask();
    }
    PlanNode root = above.apply(builder, builder.build(top));
    FragmentStart start =
        new FragmentStart(root, builder.replays(), builder.files(), figures(builder, top), types);
    int leaves = builder.inputs().size() + builder.scans().size();
    if (leaves != 1) {
      throw new IllegalStateException("a fragment with " + leaves + " inputs");
    }
    return builder.scans().isEmpty() ? executeImport(builder, start) : executeScan(builder, start);
  }

  private static RDD<ColumnarBatch> executeScan(FragmentBuilder builder, FragmentStart start) {
    AriadneScanExec node = builder.scans().get(0);
    FileSourceScanExec scan = node.scan();
    scan.waitForSubqueries();
    ParquetTaskScan files = ParquetScans.taskScan(scan, builder.predicate(0));
    PartitionLayout layout = builder.demandsOneTask() ? PartitionLayout.SINGLE : node.layout();
    return new FilePartitionRdd(
        scan.sparkContext(), CoarsePartitions.of(layout, scan), new Files(start, files));
  }

  private static RDD<ColumnarBatch> executeImport(FragmentBuilder builder, FragmentStart start) {
    SparkPlan input = builder.inputs().get(0).child();
    boolean isOneTask = builder.demandsOneTask();
    return input.supportsColumnar()
        ? new PartitionRdd<>(
            tasks(input.executeColumnar(), isOneTask, BATCHES), new Columns(start), BATCHES)
        : new PartitionRdd<>(tasks(input.execute(), isOneTask, ROWS), new Rows(start), BATCHES);
  }

  private static <T> RDD<T> tasks(RDD<T> input, boolean isOneTask, ClassTag<T> tag) {
    return isOneTask ? OnePartitionExec.together(input, tag) : input;
  }

  /** The topmost node's own subqueries were awaited by Spark; those below run with it. */
  private static void awaitSubqueries(SparkPlan plan) {
    if (plan instanceof AriadneFragmentExec) {
      plan.waitForSubqueries();
      ScalaCollections.<SparkPlan>list(plan.children()).forEach(FragmentExecutor::awaitSubqueries);
    }
  }

  /** A node that needs no plan node of its own shows the output of the node below it. */
  private static List<Figures> figures(FragmentBuilder builder, AriadneFragmentExec top) {
    List<Figures> figures = new ArrayList<>();
    for (SparkPlan owner = top; owner instanceof AriadneFragmentExec exec; owner = exec.child()) {
      List<Integer> own = builder.numbersOf(owner);
      SparkPlan shown = owner;
      while (builder.numbersOf(shown).isEmpty()) {
        shown = ((AriadneFragmentExec) shown).child();
      }
      List<Integer> numbers = builder.numbersOf(shown);
      figures.add(
          new NodeFigures(
              numbers.get(numbers.size() - 1),
              own,
              metric(owner, "numOutputRows"),
              metric(owner, "numOutputBatches"),
              metric(owner, AriadneFragmentExec.TIME_KEY),
              exec.keptBatchMetrics()));
      if (exec instanceof AriadneScanExec scan) {
        figures.add(ScanFigures.of(scan, own.get(0)));
      }
    }
    return figures;
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
