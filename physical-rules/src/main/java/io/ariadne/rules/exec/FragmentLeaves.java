package io.ariadne.rules.exec;

import io.ariadne.bridge.node.OnePartitionExec;
import io.ariadne.rules.scan.CoarsePartitions;
import io.ariadne.rules.scan.PartitionLayout;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Plans what the leaves of a connected group read. It plans on the first request, and only once,
 * however often the group is executed. Used on Spark's driver, by one thread.
 */
final class FragmentLeaves {
  static final ClassTag<ColumnarBatch> BATCHES = ClassTag$.MODULE$.apply(ColumnarBatch.class);
  private static final ClassTag<InternalRow> ROWS = ClassTag$.MODULE$.apply(InternalRow.class);

  private final Map<SparkPlan, RDD<?>> inputs = new IdentityHashMap<>();
  private final Map<AriadneScanExec, List<FilePartition>> files = new IdentityHashMap<>();

  /**
   * Returns the partitions of an input of the group.
   *
   * @param input the node that reads the output of one of Spark's nodes; not a broadcast
   * @param isOneTask whether one task reads all partitions; the same for all executions of the
   *     group
   */
  RDD<?> rows(AriadneFragmentExec input, boolean isOneTask) {
    return inputs.computeIfAbsent(input.child(), node -> execute(input, isOneTask));
  }

  private static RDD<?> execute(AriadneFragmentExec input, boolean isOneTask) {
    return input.readsColumns()
        ? tasks(input.inputColumns(), isOneTask, BATCHES)
        : tasks(input.child().execute(), isOneTask, ROWS);
  }

  private static <T> RDD<T> tasks(RDD<T> input, boolean isOneTask, ClassTag<T> tag) {
    return isOneTask ? OnePartitionExec.together(input, tag) : input;
  }

  /** Returns the files that each task reads for a scan of the group; argument as above. */
  List<FilePartition> files(AriadneScanExec scan, boolean isOneTask) {
    return files.computeIfAbsent(
        scan,
        node ->
            CoarsePartitions.of(isOneTask ? PartitionLayout.SINGLE : node.layout(), node.scan()));
  }
}
