package io.ariadne.rules.exec;

import io.ariadne.bridge.imports.ColumnarImporter;
import io.ariadne.bridge.row.RelationRows;
import io.ariadne.bridge.row.RowImporter;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.bridge.vector.SparkBatchIterator;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.memory.MemoryPool;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.ReplayTable;
import io.ariadne.rules.scan.ParquetTaskScan;
import io.ariadne.task.FragmentExecution;
import java.io.Serializable;
import java.util.ArrayList;
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
  private final Leaves leaves;
  private final ReplayTable replays;
  private final InputFiles files;
  private final List<Figures> figures;
  private final DataType[] outputTypes;

  /**
   * Where a fragment reads from.
   *
   * @param inputs what its input nodes refer to by number
   * @param scans what its scan nodes refer to
   */
  record Leaves(List<FragmentInput> inputs, List<ParquetTaskScan> scans) implements Serializable {
    /** Copies the lists. */
    Leaves {
      inputs = List.copyOf(inputs);
      scans = List.copyOf(scans);
    }
  }

  /**
   * Creates the code of a fragment's tasks.
   *
   * @param root the fragment
   * @param leaves where it reads from
   * @param replays Spark's copies of expressions that may raise
   * @param files tells user code which file its rows are of
   * @param figures where figures are published
   * @param outputTypes Spark's types of the output
   */
  FragmentStart(
      PlanNode root,
      Leaves leaves,
      ReplayTable replays,
      InputFiles files,
      List<Figures> figures,
      DataType[] outputTypes) {
    this.root = root;
    this.leaves = leaves;
    this.replays = replays;
    this.files = files;
    this.figures = List.copyOf(figures);
    this.outputTypes = outputTypes;
  }

  /**
   * Runs one task.
   *
   * @param partition its number
   * @param inputs rows or columns of the inputs that are not broadcast, in their order
   * @param slices what each scan is to read
   */
  Iterator<ColumnarBatch> run(
      int partition, List<? extends Iterator<?>> inputs, List<FilePartition> slices) {
    files.beginPartition(partition);
    ExecutorRuntime runtime = ProcessRuntime.get();
    List<SplitSourceFactory> scans = new ArrayList<>();
    for (FilePartition slice : slices) {
      scans.add(leaves.scans().get(scans.size()).source(slice, files));
    }
    return run(runtime, sources(runtime, inputs), scans);
  }

  private List<BatchSource> sources(ExecutorRuntime runtime, List<? extends Iterator<?>> inputs) {
    Schema[] schemas = new Schema[leaves.inputs().size()];
    findSchemas(root, schemas);
    List<BatchSource> sources = new ArrayList<>();
    Iterator<? extends Iterator<?>> next = inputs.iterator();
    for (FragmentInput input : leaves.inputs()) {
      Schema schema = schemas[sources.size()];
      sources.add(
          input.broadcast() == null
              ? source(input, next.next(), schema, runtime.pool())
              : new RowImporter(
                  RelationRows.of(input.broadcast().value(), schema.columnCount()),
                  schema,
                  runtime.pool(),
                  BATCH_ROWS,
                  new InputFiles()));
    }
    return sources;
  }

  @SuppressWarnings("unchecked") // what arrives is what the input's node yields
  private BatchSource source(
      FragmentInput input, Iterator<?> rows, Schema schema, MemoryPool pool) {
    return input.isColumnar()
        ? new ColumnarImporter((Iterator<ColumnarBatch>) rows, schema, pool, BATCH_ROWS, files)
        : new RowImporter((Iterator<InternalRow>) rows, schema, pool, BATCH_ROWS, files);
  }

  private static void findSchemas(PlanNode node, Schema[] schemas) {
    if (node instanceof InputNode input) {
      schemas[input.inputIndex()] = input.schema();
    }
    node.children().forEach(child -> findSchemas(child, schemas));
  }

  private Iterator<ColumnarBatch> run(
      ExecutorRuntime runtime, List<BatchSource> inputs, List<SplitSourceFactory> scans) {
    TaskContext context = TaskContext.get();
    FragmentExecution execution =
        runtime.submit(root, inputs, scans, new SparkTaskEnvironment(replays, files.isAsked()));
    PublishingSource output =
        new PublishingSource(
            execution, figures, FragmentBuilder.keepsPlaces(root) ? files : files.behind());
    return new SparkBatchIterator(output, outputTypes, context);
  }
}
