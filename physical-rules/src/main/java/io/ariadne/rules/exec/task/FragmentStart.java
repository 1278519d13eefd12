package io.ariadne.rules.exec.task;

import io.ariadne.bridge.imports.ColumnarImporter;
import io.ariadne.bridge.row.RelationRows;
import io.ariadne.bridge.row.RowImporter;
import io.ariadne.bridge.task.InputFiles;
import io.ariadne.bridge.vector.SparkBatchIterator;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.executor.SharedTables;
import io.ariadne.executor.TableLease;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.memory.MemoryPool;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.operator.join.SharedBuild;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.JoinNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.broadcast.BroadcastColumns;
import io.ariadne.rules.exec.metrics.FragmentMetricsPublisher;
import io.ariadne.rules.exec.metrics.SparkTaskMetrics;
import io.ariadne.rules.expression.ReplayTable;
import io.ariadne.rules.scan.ParquetTaskScan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * The code of a fragment's tasks: submits the fragment to the process's runtime and returns the
 * iterator from which Spark pulls the output. Shipped to executors.
 */
public final class FragmentStart implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Rows of a full batch: sixteen tiles. */
  static final int BATCH_ROWS = 32_768;

  private final PlanNode root;
  private final Leaves leaves;
  private final ReplayTable replays;
  private final InputFiles files;
  private final List<FragmentMetricsPublisher> publishers;
  private final DataType[] outputTypes;

  /**
   * The inputs of a fragment.
   *
   * @param inputs the inputs to which input nodes refer by number
   * @param scans the scans to which scan nodes refer by number
   */
  public record Leaves(List<FragmentInput> inputs, List<ParquetTaskScan> scans)
      implements Serializable {
    /** Copies the lists. */
    public Leaves {
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
   * @param publishers publish the metrics of a task
   * @param outputTypes Spark's types of the output
   */
  public FragmentStart(
      PlanNode root,
      Leaves leaves,
      ReplayTable replays,
      InputFiles files,
      List<FragmentMetricsPublisher> publishers,
      DataType[] outputTypes) {
    this.root = root;
    this.leaves = leaves;
    this.replays = replays;
    this.files = files;
    this.publishers = List.copyOf(publishers);
    this.outputTypes = outputTypes;
  }

  /**
   * Returns whether a node makes each output batch from one input batch, so that user code can ask
   * which file the batch is from.
   */
  public static boolean keepsPlaces(PlanNode node) {
    return !node.isBreaker() && node.children().stream().allMatch(FragmentStart::keepsPlaces);
  }

  /**
   * Runs one task.
   *
   * @param partition number of the partition
   * @param inputs rows or columns of the inputs that are not broadcast, in their order
   * @param slices the slices that each scan reads
   */
  public Iterator<ColumnarBatch> run(
      int partition, List<? extends Iterator<?>> inputs, List<FilePartition> slices) {
    files.beginPartition(partition);
    ExecutorRuntime runtime = ProcessRuntime.get();
    List<SplitSourceFactory> scans = new ArrayList<>();
    for (FilePartition slice : slices) {
      scans.add(leaves.scans().get(scans.size()).source(slice, files, runtime));
    }
    return run(runtime, inputs, scans);
  }

  /**
   * Opens the inputs. A broadcast that is the build side of a join has no input: the fragment uses
   * a table of the process instead.
   *
   * @param inputs rows or columns of the inputs that are not broadcast
   * @param tables receives the tables, by the numbers of their joins
   * @return the sources, owned by the caller
   */
  private List<BatchSource> sources(
      ExecutorRuntime runtime,
      List<? extends Iterator<?>> inputs,
      TaskEnvironment environment,
      Map<Integer, SharedBuild> tables) {
    Schema[] schemas = new Schema[leaves.inputs().size()];
    JoinNode[] joins = new JoinNode[schemas.length];
    findInputs(root, schemas, joins);
    List<BatchSource> sources = new ArrayList<>();
    Iterator<? extends Iterator<?>> next = inputs.iterator();
    try {
      for (FragmentInput input : leaves.inputs()) {
        Schema schema = schemas[sources.size()];
        JoinNode join = joins[sources.size()];
        if (input.broadcast() == null) {
          sources.add(source(input, next.next(), schema, runtime));
        } else if (join == null) {
          sources.add(source(input.broadcast(), schema, runtime));
        } else {
          TableLease lease = lease(runtime, input.broadcast(), join, environment);
          sources.add(lease);
          tables.put(join.id(), lease.table());
        }
      }
      return sources;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      sources.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private TableLease lease(
      ExecutorRuntime runtime, Broadcast<?> rows, JoinNode join, TaskEnvironment environment) {
    SharedTables.Request request =
        new SharedTables.Request(
            "broadcast " + rows.id(),
            join,
            () -> source(rows, join.build().schema(), runtime),
            this::publishBuild);
    return runtime.tables().lease(request, environment);
  }

  private void publishBuild(FragmentExecution build) {
    publishers.forEach(publisher -> publisher.publish(build.metrics()));
    SparkTaskMetrics.publishSpills(build.totals());
  }

  /** Returns the source of a broadcast: its columns, or the rows of a relation of Spark's. */
  private static BatchSource source(Broadcast<?> rows, Schema schema, ExecutorRuntime runtime) {
    if (rows.value() instanceof BroadcastColumns columns) {
      return columns.batches(schema, runtime.pool());
    }
    return new RowImporter(
        RelationRows.of(rows.value(), schema.columnCount()),
        schema,
        runtime.pool(),
        runtime.batchRows(BATCH_ROWS),
        new InputFiles());
  }

  @SuppressWarnings("unchecked") // what arrives is what the input's node yields
  private BatchSource source(
      FragmentInput input, Iterator<?> rows, Schema schema, ExecutorRuntime runtime) {
    MemoryPool pool = runtime.pool();
    int most = runtime.batchRows(BATCH_ROWS);
    return input.isColumnar()
        ? new ColumnarImporter((Iterator<ColumnarBatch>) rows, schema, pool, most, files)
        : new RowImporter((Iterator<InternalRow>) rows, schema, pool, most, files);
  }

  /**
   * Finds the nodes that read the inputs, by the numbers of the inputs.
   *
   * @param schemas receives the columns of the inputs
   * @param joins receives the join that builds a table from an input, which other tasks may also
   *     use
   */
  private static void findInputs(PlanNode node, Schema[] schemas, JoinNode[] joins) {
    if (node instanceof InputNode input) {
      schemas[input.inputIndex()] = input.schema();
    } else if (node instanceof JoinNode join && SharedTables.isShareable(join)) {
      joins[((InputNode) join.build()).inputIndex()] = join;
    }
    node.children().forEach(child -> findInputs(child, schemas, joins));
  }

  private Iterator<ColumnarBatch> run(
      ExecutorRuntime runtime, List<? extends Iterator<?>> inputs, List<SplitSourceFactory> scans) {
    TaskContext context = TaskContext.get();
    TaskEnvironment environment = new SparkTaskEnvironment(replays, files.isAsked());
    Map<Integer, SharedBuild> tables = new HashMap<>();
    List<BatchSource> sources = sources(runtime, inputs, environment, tables);
    FragmentExecution execution = runtime.submit(root, sources, scans, tables, environment);
    long sharedBytes = tables.values().stream().mapToLong(SharedBuild::sizeInBytes).sum();
    InputFiles outputFiles = keepsPlaces(root) ? files : files.behind();
    PublishingSource output = new PublishingSource(execution, publishers, sharedBytes, outputFiles);
    return new SparkBatchIterator(output, outputTypes, context);
  }
}
