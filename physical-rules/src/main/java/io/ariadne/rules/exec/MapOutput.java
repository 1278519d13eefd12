package io.ariadne.rules.exec;

import io.ariadne.bridge.node.PartitionFunction;
import io.ariadne.bridge.shuffle.BlockBytes;
import io.ariadne.bridge.shuffle.ShuffledRows;
import io.ariadne.bridge.vector.SparkBatches;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.operator.exchange.PartitionOperatorFactory;
import io.ariadne.shuffle.format.BlockBuffer;
import io.ariadne.shuffle.format.EncodedBlock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.Product2;
import scala.Tuple2;

/**
 * What a map task does with its fragment's output: gathers rows by partition and hands blocks of
 * them to Spark's writer. Shipped to executors.
 *
 * @param schema the columns that travel
 * @param partitions how many there are; with more than one the fragment's output has the number of
 *     the partition in one more column, in ascending order within each batch
 * @param inTurns whether partitions are numbered in turns, by every task from 0: then each task
 *     begins with another one, always the same, so that few rows of many tasks do not meet in one
 * @param rows counts what goes out
 */
record MapOutput(Schema schema, int partitions, boolean inTurns, ShuffledRows rows)
    implements PartitionFunction<ColumnarBatch, Product2<Object, BlockBytes>> {
  private static final long BYTES_PER_PARTITION = 128 << 10;
  private static final long MIN_BYTES = 4 << 20;
  private static final long MAX_BYTES = 32 << 20;

  /** The map tasks of all task slots take this part of the pool at most. */
  private static final int POOL_SHARE = 8;

  private static final long LEAST_BYTES = 256 << 10;

  /** Of 2 to the power of 32, odd: its multiples are spread evenly. */
  private static final int GOLDEN_RATIO = 0x9E3779B9;

  @Override
  public Iterator<Product2<Object, BlockBytes>> apply(int index, Iterator<ColumnarBatch> input) {
    TaskContext context = TaskContext.get();
    int first = inTurns ? firstPartition(index) : 0;
    Blocks blocks = new Blocks(this, first, input, context);
    context.addTaskCompletionListener(
        (org.apache.spark.util.TaskCompletionListener) ended -> blocks.close());
    return blocks;
  }

  /** Returns one that is far from those of the tasks before and behind. */
  private int firstPartition(int task) {
    return Integer.remainderUnsigned(task * GOLDEN_RATIO, partitions);
  }

  /** More where there are many partitions, less where there is little memory. */
  private long targetBytes(ExecutorRuntime runtime) {
    long wanted = Math.min(MAX_BYTES, Math.max(MIN_BYTES, partitions * BYTES_PER_PARTITION));
    long share = runtime.pool().limitInBytes() / POOL_SHARE / runtime.computeThreads();
    return Math.min(wanted, Math.max(LEAST_BYTES, share));
  }

  /**
   * Returns what the rows of a block would take in Spark's exchange, about: by that adaptive
   * execution chooses what to broadcast, and users have chosen their thresholds.
   */
  private long bytesAsRows(EncodedBlock block) {
    int columns = schema.columnCount();
    int nullWords = (columns + Long.SIZE - 1) / Long.SIZE;
    long fixedBytes = (long) block.rowCount() * (nullWords + columns) * Long.BYTES;
    return fixedBytes + block.variableBytes() + padding(block.rowCount());
  }

  /** Values of variable width are filled up to whole words, by half a word on average. */
  private long padding(int rows) {
    long variable =
        schema.fields().stream()
            .filter(field -> field.type().defaultPhysicalType() == PhysicalType.VIEW16)
            .count();
    return variable * rows * (Long.BYTES / 2);
  }

  private Schema placedSchema() {
    if (partitions == 1) {
      return schema;
    }
    return PartitionOperatorFactory.placed(schema, schema.columnCount());
  }

  /** The blocks of one task, each valid until the next is asked for. Used by the task thread. */
  private static final class Blocks implements Iterator<Product2<Object, BlockBytes>> {
    private final MapOutput output;

    /** The partition that the rows numbered 0 go to. */
    private final int first;

    private final Schema placedSchema;
    private final Iterator<ColumnarBatch> input;
    private final TaskContext context;
    private final BlockBuffer buffer;

    /** A batch that is not laid out as those in the buffer. */
    private Placed waiting;

    private boolean isDraining;
    private EncodedBlock block;
    private boolean isGiven;
    private boolean closed;

    /** A batch without the numbers of partitions, and where these start. */
    private record Placed(RecordBatch batch, int[] firstRows) {}

    Blocks(MapOutput output, int first, Iterator<ColumnarBatch> input, TaskContext context) {
      this.output = output;
      this.first = first;
      this.placedSchema = output.placedSchema();
      this.input = input;
      this.context = context;
      ExecutorRuntime runtime = ProcessRuntime.get();
      long target = output.targetBytes(runtime);
      this.buffer = new BlockBuffer(output.partitions, target, runtime.pool());
    }

    @Override
    public boolean hasNext() {
      if (block != null && isGiven) {
        block.close();
        block = null;
        isGiven = false;
      }
      while (block == null && (isDraining || gather())) {
        isDraining = true;
        block = buffer.next();
        isDraining = block != null;
      }
      return block != null;
    }

    @Override
    public Product2<Object, BlockBytes> next() {
      if (!hasNext()) {
        throw new NoSuchElementException("the map task is at its end");
      }
      isGiven = true;
      output.rows.add(context, block.rowCount(), output.bytesAsRows(block));
      BlockBytes bytes = new BlockBytes(block.address(), block.lengthInBytes());
      return new Tuple2<>((buffer.partition() + first) % output.partitions, bytes);
    }

    /** Fills the buffer; returns whether there is something in it. */
    private boolean gather() {
      while (!buffer.isFull()) {
        Placed placed = nextInput();
        if (placed == null) {
          break;
        }
        if (!buffer.canAdd(placed.batch())) {
          waiting = placed;
          break;
        }
        buffer.add(placed.batch(), placed.firstRows());
      }
      return !buffer.isEmpty();
    }

    private Placed nextInput() {
      if (waiting != null) {
        Placed placed = waiting;
        waiting = null;
        return placed;
      }
      if (closed || !input.hasNext()) {
        return null;
      }
      RecordBatch batch = SparkBatches.fromSpark(input.next(), placedSchema, 0);
      return output.partitions == 1
          ? new Placed(batch, new int[] {0, batch.rowCount()})
          : placed(batch);
    }

    private Placed placed(RecordBatch batch) {
      List<ColumnVector> columns = new ArrayList<>();
      try (batch) {
        int[] firstRows = firstRows(batch);
        for (int i = 0; i < output.schema.columnCount(); i++) {
          columns.add(batch.takeColumn(i));
        }
        return new Placed(new RecordBatch(output.schema, batch.rowCount(), columns, 0), firstRows);
      }
    }

    private int[] firstRows(RecordBatch batch) {
      int[] firstRows = new int[output.partitions + 1];
      long numbers = batch.column(output.schema.columnCount()).data().address();
      for (int row = 0; row < batch.rowCount(); row++) {
        firstRows[Memory.getInt(numbers + (long) row * Integer.BYTES) + 1]++;
      }
      for (int i = 0; i < output.partitions; i++) {
        firstRows[i + 1] += firstRows[i];
      }
      return firstRows;
    }

    void close() {
      if (closed) {
        return;
      }
      closed = true;
      Closer closer = new Closer();
      closer.close(block);
      block = null;
      if (waiting != null) {
        closer.close(waiting.batch());
        waiting = null;
      }
      closer.close(buffer);
      closer.rethrow();
    }
  }
}
