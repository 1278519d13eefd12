package io.ariadne.rules.exec;

import io.ariadne.bridge.imports.ColumnarImporter;
import io.ariadne.bridge.row.RowImporter;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.bridge.vector.SparkBatchIterator;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.ReplayTable;
import io.ariadne.rules.scan.ParquetTaskScan;
import io.ariadne.task.FragmentExecution;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * What a task does: hands its fragment to the process's runtime and is the iterator Spark pulls the
 * output from. Shipped to executors.
 */
final class FragmentStart implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Rows of a full batch: sixteen tiles. */
  private static final int BATCH_ROWS = 32_768;

  private final PlanNode root;
  private final ReplayTable replays;
  private final InputFiles files;
  private final List<Figures> figures;
  private final DataType[] outputTypes;

  /**
   * Creates the code of a fragment's tasks.
   *
   * @param root the fragment
   * @param replays Spark's copies of expressions that may raise
   * @param files tells user code which file its rows are of
   * @param figures where figures are published
   * @param outputTypes Spark's types of the output
   */
  FragmentStart(
      PlanNode root,
      ReplayTable replays,
      InputFiles files,
      List<Figures> figures,
      DataType[] outputTypes) {
    this.root = root;
    this.replays = replays;
    this.files = files;
    this.figures = List.copyOf(figures);
    this.outputTypes = outputTypes;
  }

  /**
   * Runs one task over columns.
   *
   * @param partition the number of the input's partition
   */
  Iterator<ColumnarBatch> runColumns(int partition, Iterator<ColumnarBatch> input) {
    files.beginPartition(partition);
    ExecutorRuntime runtime = ProcessRuntime.get();
    return run(
        runtime,
        List.of(new ColumnarImporter(input, inputSchema(), runtime.pool(), BATCH_ROWS, files)),
        List.of());
  }

  /**
   * Runs one task over rows.
   *
   * @param partition the number of the input's partition
   */
  Iterator<ColumnarBatch> runRows(int partition, Iterator<InternalRow> input) {
    files.beginPartition(partition);
    ExecutorRuntime runtime = ProcessRuntime.get();
    return run(
        runtime,
        List.of(new RowImporter(input, inputSchema(), runtime.pool(), BATCH_ROWS, files)),
        List.of());
  }

  /** Runs one task over files. */
  Iterator<ColumnarBatch> runFiles(ParquetTaskScan scan, FilePartition partition) {
    files.beginPartition(partition.index());
    return run(ProcessRuntime.get(), List.of(), List.of(scan.source(partition, files)));
  }

  private Iterator<ColumnarBatch> run(
      ExecutorRuntime runtime, List<BatchSource> inputs, List<SplitSourceFactory> scans) {
    TaskContext context = TaskContext.get();
    FragmentExecution execution =
        runtime.submit(root, inputs, scans, new SparkTaskEnvironment(replays));
    PublishingSource output =
        new PublishingSource(
            execution, figures, FragmentBuilder.keepsPlaces(root) ? files : files.behind());
    return new SparkBatchIterator(output, outputTypes, context);
  }

  private Schema inputSchema() {
    PlanNode node = root;
    while (!(node instanceof InputNode)) {
      node = node.children().get(0);
    }
    return node.schema();
  }
}
