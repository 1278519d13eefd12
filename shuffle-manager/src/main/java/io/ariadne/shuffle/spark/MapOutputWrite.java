package io.ariadne.shuffle.spark;

import io.ariadne.bridge.node.PartitionFunction;
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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.random.XORShiftRandom;
import scala.Product2;

/**
 * Turns a map task's output batches into the records of its shuffle writer. Spark's writers take
 * blocks, each of gathered rows of one partition; Ariadne's writer takes the batches themselves.
 * Shipped to executors.
 *
 * @param schema the columns of the shuffle
 * @param partitions number of partitions; with more than one, the fragment's output has the
 *     partition number in an additional last column, in ascending order within each batch
 * @param isRoundRobin whether rows are distributed round robin. Every task numbers its partitions
 *     from 0; the number 0 then is a different partition in each task, chosen by the task's number,
 *     so that tasks with few rows do not all write to the same partitions
 * @param rows counts the rows and bytes written
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
   * Returns the partition of a task's first row, as Spark's {@code ShuffleExchangeExec} chooses it:
   * partitions of an exchange of few rows then have as many rows as in Spark.
   */
  private int firstPartition(int task) {
    return (new XORShiftRandom(task).nextInt(partitions) + 1) % partitions;
  }

  /**
   * Estimates the bytes of rows in Spark's exchange. Adaptive execution compares this number with
   * the broadcast threshold, which users have chosen for Spark's row format.
   */
  private long bytesAsRows(int count, long variableBytes) {
    int columns = schema.columnCount();
    int nullWords = (columns + Long.SIZE - 1) / Long.SIZE;
    long fixedBytes = (long) count * (nullWords + columns) * Long.BYTES;
    return fixedBytes + variableBytes + padding(count);
  }

  /** Estimates the padding of values of variable width to whole words: half a word on average. */
  private long padding(int rows) {
    long variable =
        schema.fields().stream()
            .filter(field -> field.type().defaultPhysicalType() == PhysicalType.VIEW16)
            .count();
    return variable * rows * (Long.BYTES / 2);
  }

  private Schema inputSchema() {
    if (partitions == 1) {
      return schema;
    }
    return PartitionOperatorFactory.withPartitionColumn(schema, schema.columnCount());
  }

  /**
   * The records of one task. Rows are gathered and encoded as blocks, unless the writer takes
   * batches. Used by the task thread.
   */
  private static final class Records implements Iterator<Product2<Object, MapRows>> {
    private final MapOutputWrite output;

    /** The partition of the rows with partition number 0. */
    private final int first;

    private final Schema inputSchema;
    private final Iterator<ColumnarBatch> input;
    private final TaskContext context;
    private final BlockBuffer buffer;

    /** The record returned last; null when it is no longer valid. */
    private CurrentRows current;

    /** The next batch to be gathered or taken, not empty; null when none is fetched. */
    private Partitioned nextBatch;

    /** Whether the buffer's rows are being encoded; nothing is gathered meanwhile. */
    private boolean isEncoding;

    /** The block of the current record, or of the next one; null when none is encoded. */
    private EncodedBlock block;

    /** Whether the block belongs to the current record, and is counted. */
    private boolean isBlockCurrent;

    private boolean closed;

    /** A batch without the column of partition numbers, and the first row of each partition. */
    private record Partitioned(RecordBatch batch, int[] firstRows) {}

    Records(MapOutputWrite output, int first, Iterator<ColumnarBatch> input, TaskContext context) {
      this.output = output;
      this.first = first;
      this.inputSchema = output.inputSchema();
      this.input = input;
      this.context = context;
      ExecutorRuntime runtime = ProcessRuntime.get();
      MemoryPool pool = runtime.pool();
      long target =
          GatherTarget.bytes(output.partitions, pool.limitInBytes(), runtime.computeThreads());
      this.buffer = new BlockBuffer(output.partitions, target, pool);
    }

    /**
     * The current record. Its rows are encoded when the writer asks for the key or the block.
     * Throws once the writer has asked for the next record, because it would return that record's
     * rows.
     */
    private final class CurrentRows implements Product2<Object, MapRows>, MapRows {
      private void checkValid() {
        if (current != this) {
          throw new IllegalStateException("a record of a map task is read after the next record");
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
        if (nextBatch == null || isEncoding) {
          throw new IllegalStateException("the rows are encoded as blocks already");
        }
        Partitioned partitioned = nextBatch;
        nextBatch = null;
        RecordBatch batch = partitioned.batch();
        try {
          output.rows.add(
              context,
              batch.rowCount(),
              output.bytesAsRows(batch.rowCount(), VariableWidthBytes.of(batch)));
        } catch (RuntimeException | Error e) {
          batch.close();
          throw e;
        }
        return new PartitionedBatch(batch, partitioned.firstRows(), first);
      }

      @Override
      public boolean canEqual(Object that) {
        return that == this;
      }
    }

    @Override
    public boolean hasNext() {
      current = null;
      if (block != null && isBlockCurrent) {
        block.close();
        block = null;
        isBlockCurrent = false;
      }
      if (block == null && isEncoding) {
        block = buffer.next();
        isEncoding = block != null;
      }
      return block != null || fetch();
    }

    @Override
    public Product2<Object, MapRows> next() {
      if (!hasNext()) {
        throw new NoSuchElementException("the map task has no more records");
      }
      current = new CurrentRows();
      return current;
    }

    /** Encodes the next block unless the current record has one, and counts its rows once. */
    private void encode() {
      if (block == null) {
        gather();
        isEncoding = true;
        block = buffer.next();
      }
      if (!isBlockCurrent) {
        isBlockCurrent = true;
        output.rows.add(
            context, block.rowCount(), output.bytesAsRows(block.rowCount(), block.variableBytes()));
      }
    }

    /** Fills the buffer with the next batch and the following ones. */
    private void gather() {
      while (!buffer.isFull() && fetch() && buffer.canAdd(nextBatch.batch())) {
        Partitioned partitioned = nextBatch;
        nextBatch = null;
        buffer.add(partitioned.batch(), partitioned.firstRows());
      }
    }

    /** Fetches the next batch unless there is one; returns whether there is one now. */
    private boolean fetch() {
      while (nextBatch == null && !closed && input.hasNext()) {
        RecordBatch batch = SparkBatches.fromSpark(input.next(), inputSchema, 0);
        if (batch.rowCount() == 0) {
          batch.close();
        } else {
          nextBatch =
              output.partitions == 1
                  ? new Partitioned(batch, new int[] {0, batch.rowCount()})
                  : partitioned(batch);
        }
      }
      return nextBatch != null;
    }

    private Partitioned partitioned(RecordBatch batch) {
      List<ColumnVector> columns = new ArrayList<>();
      try (batch) {
        int[] firstRows = firstRows(batch);
        for (int i = 0; i < output.schema.columnCount(); i++) {
          columns.add(batch.takeColumn(i));
        }
        return new Partitioned(
            new RecordBatch(output.schema, batch.rowCount(), columns, 0), firstRows);
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
      if (nextBatch != null) {
        closer.close(nextBatch.batch());
        nextBatch = null;
      }
      closer.close(buffer);
      closer.rethrow();
    }
  }
}
