package io.ariadne.rules.exec;

import io.ariadne.bridge.node.PartitionFunction;
import io.ariadne.bridge.shuffle.BlockBytes;
import io.ariadne.bridge.shuffle.MapRows;
import io.ariadne.bridge.shuffle.PartitionedBatch;
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
import io.ariadne.memory.MemoryPool;
import io.ariadne.operator.exchange.PartitionOperatorFactory;
import io.ariadne.shuffle.format.BlockBuffer;
import io.ariadne.shuffle.format.EncodedBlock;
import io.ariadne.shuffle.format.GatherTarget;
import io.ariadne.shuffle.rows.StringBytes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.random.XORShiftRandom;
import scala.Product2;

/**
 * What a map task does with its fragment's output: hands it to Spark's writer in blocks of gathered
 * rows of one partition each, or to ours in batches. Shipped to executors.
 *
 * @param schema the columns that travel
 * @param partitions how many there are; with more than one the fragment's output has the number of
 *     the partition in one more column, in ascending order within each batch
 * @param isRoundRobin whether partitions are numbered in turns, by every task from 0: then each
 *     task begins with another one, always the same, so that few rows of many tasks do not meet in
 *     one
 * @param rows counts what goes out
 */
record MapOutputWrite(Schema schema, int partitions, boolean isRoundRobin, ShuffledRows rows)
    implements PartitionFunction<ColumnarBatch, Product2<Object, MapRows>> {
  @Override
  public Iterator<Product2<Object, MapRows>> apply(int index, Iterator<ColumnarBatch> input) {
    TaskContext context = TaskContext.get();
    int first = isRoundRobin ? firstPartition(context.partitionId()) : 0;
    Records records = new Records(this, first, input, context);
    context.addTaskCompletionListener(
        (org.apache.spark.util.TaskCompletionListener) ended -> records.close());
    return records;
  }

  /**
   * Returns where Spark's exchange puts the first row of a task (ShuffleExchangeExec), so that the
   * partitions of few rows have as many as Spark's.
   */
  private int firstPartition(int task) {
    return (new XORShiftRandom(task).nextInt(partitions) + 1) % partitions;
  }

  /**
   * Returns what rows would take in Spark's exchange, about: by that adaptive execution chooses
   * what to broadcast, and users have chosen their thresholds.
   */
  private long bytesAsRows(int count, long variableBytes) {
    int columns = schema.columnCount();
    int nullWords = (columns + Long.SIZE - 1) / Long.SIZE;
    long fixedBytes = (long) count * (nullWords + columns) * Long.BYTES;
    return fixedBytes + variableBytes + padding(count);
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
    return PartitionOperatorFactory.withPartitionColumn(schema, schema.columnCount());
  }

  /**
   * What one task puts out. Rows are gathered and become blocks, unless whoever writes them takes
   * batches. Used by the task thread.
   */
  private static final class Records implements Iterator<Product2<Object, MapRows>> {
    private final MapOutputWrite output;

    /** The partition that the rows numbered 0 go to. */
    private final int first;

    private final Schema placedSchema;
    private final Iterator<ColumnarBatch> input;
    private final TaskContext context;
    private final BlockBuffer buffer;

    /** The record that was given last, as long as it may be read. */
    private CurrentRows current;

    /** The next batch, with rows: one that is not gathered yet. */
    private Placed waiting;

    private boolean isDraining;
    private EncodedBlock block;
    private boolean isGiven;
    private boolean closed;

    /** A batch without the numbers of partitions, and where these start. */
    private record Placed(RecordBatch batch, int[] firstRows) {}

    Records(MapOutputWrite output, int first, Iterator<ColumnarBatch> input, TaskContext context) {
      this.output = output;
      this.first = first;
      this.placedSchema = output.placedSchema();
      this.input = input;
      this.context = context;
      ExecutorRuntime runtime = ProcessRuntime.get();
      MemoryPool pool = runtime.pool();
      long target =
          GatherTarget.bytes(output.partitions, pool.limitInBytes(), runtime.computeThreads());
      this.buffer = new BlockBuffer(output.partitions, target, pool);
    }

    /**
     * The record at hand: its rows become a block when the key, or the block, is asked for. A
     * writer that keeps it and reads it later would get the rows of another one.
     */
    private final class CurrentRows implements Product2<Object, MapRows>, MapRows {
      private void checkValid() {
        if (current != this) {
          throw new IllegalStateException("a record of a map task is read after the next one");
        }
      }

      @Override
      public Object _1() {
        checkValid();
        encode();
        return (buffer.partition() + first) % output.partitions;
      }

      @Override
      public MapRows _2() {
        return this;
      }

      @Override
      public BlockBytes block() {
        checkValid();
        encode();
        return new BlockBytes(block.address(), block.lengthInBytes());
      }

      @Override
      public PartitionedBatch takeBatch() {
        checkValid();
        if (waiting == null || isDraining) {
          throw new IllegalStateException("the rows are blocks already");
        }
        Placed placed = waiting;
        waiting = null;
        RecordBatch batch = placed.batch();
        try {
          output.rows.add(
              context,
              batch.rowCount(),
              output.bytesAsRows(batch.rowCount(), StringBytes.of(batch)));
        } catch (RuntimeException | Error e) {
          batch.close();
          throw e;
        }
        return new PartitionedBatch(batch, placed.firstRows(), first);
      }

      @Override
      public boolean canEqual(Object that) {
        return that == this;
      }
    }

    @Override
    public boolean hasNext() {
      current = null;
      if (block != null && isGiven) {
        block.close();
        block = null;
        isGiven = false;
      }
      if (block == null && isDraining) {
        block = buffer.next();
        isDraining = block != null;
      }
      return block != null || fetch();
    }

    @Override
    public Product2<Object, MapRows> next() {
      if (!hasNext()) {
        throw new NoSuchElementException("the map task is at its end");
      }
      current = new CurrentRows();
      return current;
    }

    /** Makes a block of the rows at hand, unless they are one. */
    private void encode() {
      if (block == null) {
        gather();
        isDraining = true;
        block = buffer.next();
      }
      if (!isGiven) {
        isGiven = true;
        output.rows.add(
            context, block.rowCount(), output.bytesAsRows(block.rowCount(), block.variableBytes()));
      }
    }

    /** Fills the buffer, with at least the batch that waits. */
    private void gather() {
      while (!buffer.isFull() && fetch() && buffer.canAdd(waiting.batch())) {
        Placed placed = waiting;
        waiting = null;
        buffer.add(placed.batch(), placed.firstRows());
      }
    }

    /** Has the next batch wait; returns whether there is one. */
    private boolean fetch() {
      while (waiting == null && !closed && input.hasNext()) {
        RecordBatch batch = SparkBatches.fromSpark(input.next(), placedSchema, 0);
        if (batch.rowCount() == 0) {
          batch.close();
        } else {
          waiting =
              output.partitions == 1
                  ? new Placed(batch, new int[] {0, batch.rowCount()})
                  : placed(batch);
        }
      }
      return waiting != null;
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
      current = null;
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
