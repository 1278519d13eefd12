package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.node.AriadneRowTransitionExec;
import io.ariadne.bridge.node.NodeMetric;
import io.ariadne.bridge.node.PartitionFunction;
import io.ariadne.bridge.node.PartitionJob;
import io.ariadne.bridge.node.PartitionRdd;
import io.ariadne.bridge.node.PartitionValue;
import io.ariadne.bridge.output.BatchRows;
import io.ariadne.bridge.output.RowBlock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.io.ChunkedByteBuffer;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Converts the columns of a fragment into Spark's binary rows without generated code, for Spark's
 * driver, exchanges and sorts. The tasks of the fragment itself pack the rows that are collected.
 */
public final class AriadneColumnarToRowExec extends AriadneRowTransitionExec {
  private static final long serialVersionUID = 1L;
  private static final String ROWS = "numOutputRows";
  private static final String BATCHES = "numInputBatches";
  private static final ClassTag<Tuple2<Object, ChunkedByteBuffer>> PACKED =
      ClassTag$.MODULE$.apply(Tuple2.class);
  private static final ClassTag<InternalRow> ROW = ClassTag$.MODULE$.apply(InternalRow.class);

  /**
   * Creates the node.
   *
   * @param child the topmost node of a fragment
   */
  public AriadneColumnarToRowExec(SparkPlan child) {
    super(child);
  }

  /** The code of a task. */
  private record Rows(DataType[] types, SQLMetric rows, SQLMetric batches)
      implements PartitionFunction<ColumnarBatch, InternalRow> {
    @Override
    public Iterator<InternalRow> apply(int index, Iterator<ColumnarBatch> input) {
      return of(input);
    }

    Iterator<InternalRow> of(Iterator<ColumnarBatch> input) {
      return new BatchRows(input, types, rows, batches);
    }
  }

  /** The code of a task that collects rows for Spark's driver. */
  private record Packing(Rows rows)
      implements PartitionValue<ColumnarBatch, Tuple2<Object, ChunkedByteBuffer>> {
    @Override
    public Tuple2<Object, ChunkedByteBuffer> apply(Iterator<ColumnarBatch> input) {
      return RowBlock.pack(rows.of(input));
    }
  }

  @Override
  public List<NodeMetric> declaredMetrics() {
    return List.of(NodeMetric.outputRows(), NodeMetric.sum(BATCHES, "number of input batches"));
  }

  @Override
  public RDD<InternalRow> doExecute() {
    return new PartitionRdd<>(child().executeColumnar(), rows(), ROW);
  }

  @Override
  public InternalRow[] executeCollect() {
    List<InternalRow> rows = new ArrayList<>();
    for (RowBlock block : collectBlocks()) {
      rows.addAll(block.rows(types().length));
    }
    return rows.toArray(InternalRow[]::new);
  }

  /** The result of a collection for a broadcast: the number of rows, and the rows. */
  @Override
  public Tuple2<Object, scala.collection.Iterator<InternalRow>> executeCollectIterator() {
    List<RowBlock> blocks = collectBlocks();
    int columns = types().length;
    long count = blocks.stream().mapToLong(RowBlock::rowCount).sum();
    Iterator<InternalRow> rows = new ConcatenatedRows(blocks, columns);
    return new Tuple2<>(count, ScalaCollections.iterator(rows));
  }

  private Rows rows() {
    return new Rows(types(), longMetric(ROWS), longMetric(BATCHES));
  }

  private List<RowBlock> collectBlocks() {
    return PartitionJob.run(child().executeColumnar(), new Packing(rows()), PACKED).stream()
        .map(RowBlock::new)
        .toList();
  }

  private DataType[] types() {
    return ScalaCollections.<Attribute>list(child().output()).stream()
        .map(Attribute::dataType)
        .toArray(DataType[]::new);
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(ScalaCollections.<Attribute>list(child().output()));
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }

  @Override
  public scala.collection.immutable.Seq<SortOrder> outputOrdering() {
    return ScalaCollections.seq(ScalaCollections.<SortOrder>list(child().outputOrdering()));
  }

  /** Iterates over the rows of several blocks; unpacks a block when its first row is read. */
  private static final class ConcatenatedRows implements Iterator<InternalRow> {
    private final Iterator<RowBlock> blocks;
    private final int columns;
    private Iterator<InternalRow> rows = List.<InternalRow>of().iterator();

    ConcatenatedRows(List<RowBlock> blocks, int columns) {
      this.blocks = blocks.iterator();
      this.columns = columns;
    }

    @Override
    public boolean hasNext() {
      while (!rows.hasNext() && blocks.hasNext()) {
        rows = blocks.next().rows(columns).iterator();
      }
      return rows.hasNext();
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException("all blocks are at their end");
      }
      return rows.next();
    }
  }
}
