package io.ariadne.shuffle.spark;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.bridge.vector.SparkBatchIterator;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.format.BlockConcatenator;
import io.ariadne.shuffle.format.EncodedBlock;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.LongConsumer;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Reads what a reduce task fetches: checks blocks and concatenates them to batches, and
 * concatenates rows of map outputs in its own process. Shipped to executors.
 *
 * @param schema the columns
 * @param types Spark's types of the columns
 * @param batches counts the batches
 */
record ReduceInput(Schema schema, DataType[] types, SQLMetric batches) implements BlockReader {
  /** Rows of a full batch: sixteen tiles. */
  static final int BATCH_ROWS = 32_768;

  /** Bytes of encoded blocks, or of kept rows, that make a full batch. */
  static final long BATCH_BYTES = 8L << 20;

  @Override
  public Iterator<ColumnarBatch> read(
      Iterator<BlockInput> blocks, LongConsumer rows, TaskContext context) {
    return new SparkBatchIterator(
        new Batches(this, blocks, rows, ProcessRuntime.get()), types, context);
  }

  /** The batches of one task. Used by the task thread. */
  private static final class Batches implements BatchSource {
    private final ReduceInput input;
    private final Iterator<BlockInput> blocks;
    private final LongConsumer rows;
    private final BufferAllocator allocator;
    private final int batchRows;
    private final BlockConcatenator gatheredBlocks;
    private final LocalRowsInput gatheredRows;

    /** The first block of the next batch; null when there is none yet. */
    private EncodedBlock nextBlock;

    private long sequence;
    private boolean closed;

    Batches(
        ReduceInput input,
        Iterator<BlockInput> blocks,
        LongConsumer rows,
        ExecutorRuntime runtime) {
      this.input = input;
      this.blocks = blocks;
      this.rows = rows;
      this.allocator = runtime.pool();
      this.batchRows = runtime.batchRows(BATCH_ROWS);
      this.gatheredBlocks = new BlockConcatenator(input.schema, allocator);
      this.gatheredRows = new LocalRowsInput(input.schema, runtime);
    }

    @Override
    public Schema schema() {
      return input.schema;
    }

    @Override
    public RecordBatch next() {
      if (nextBlock != null) {
        gatheredBlocks.add(nextBlock);
        nextBlock = null;
      }
      RecordBatch batch = null;
      while (batch == null && !closed && !isFull() && blocks.hasNext()) {
        BlockInput block = blocks.next();
        batch = block.areRows() ? addRows(block) : addBlock(block);
      }
      batch = batch == null ? gathered() : batch;
      if (batch != null) {
        input.batches.add(1);
      }
      return batch;
    }

    private boolean isFull() {
      return gatheredBlocks.rowCount() >= batchRows
          || gatheredBlocks.lengthInBytes() >= BATCH_BYTES;
    }

    /** Returns a batch of what is gathered; null when nothing is. */
    private RecordBatch gathered() {
      if (!gatheredRows.isEmpty()) {
        return gatheredRows.take(sequence++);
      }
      return gatheredBlocks.lengthInBytes() == 0 ? null : gatheredBlocks.concat(sequence++);
    }

    /**
     * Adds kept rows, which precede all blocks.
     *
     * @return a batch without these rows when one is full, else null
     */
    private RecordBatch addRows(BlockInput block) {
      RetainedRows taken = take(block);
      rows.accept(taken.count());
      RecordBatch batch = gatheredRows.add(taken, sequence);
      sequence += batch == null ? 0 : 1;
      return batch;
    }

    /**
     * Adds a block.
     *
     * @return a batch without this block when it cannot be gathered with the others, else null
     */
    private RecordBatch addBlock(BlockInput block) {
      EncodedBlock encoded = read(block);
      if (gatheredRows.isEmpty() && gatheredBlocks.canAdd(encoded)) {
        gatheredBlocks.add(encoded);
        return null;
      }
      nextBlock = encoded;
      return gathered();
    }

    /** Takes rows; when they are damaged, Spark runs the map task again. */
    private static RetainedRows take(BlockInput block) {
      try {
        return block.takeRows();
      } catch (EngineException e) {
        throw e.code() == ErrorCode.CORRUPT_DATA ? UndeclaredExceptions.raise(block.failure(e)) : e;
      }
    }

    /** Reads a block; when it is damaged, Spark runs the map task again. */
    private EncodedBlock read(BlockInput block) {
      try {
        // A damaged length would allocate gigabytes: the header, which has a checksum, confirms it.
        byte[] header = block.readHeader(EncodedBlock.HEADER_BYTES);
        EncodedBlock.checkHeader(header, block.lengthInBytes());
        EncodedBlock encoded = EncodedBlock.check(block.take(allocator));
        rows.accept(encoded.rowCount());
        return encoded;
      } catch (UncheckedIOException e) {
        throw UndeclaredExceptions.raise(block.failure(e));
      } catch (EngineException e) {
        if (e.code() != ErrorCode.CORRUPT_DATA) {
          throw e;
        }
        String message = block.name() + ": " + e.getMessage();
        throw UndeclaredExceptions.raise(
            block.failure(new EngineException(ErrorCode.CORRUPT_DATA, message, e)));
      }
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        Closer closer = new Closer();
        closer.close(nextBlock);
        nextBlock = null;
        closer.close(gatheredBlocks);
        closer.close(gatheredRows);
        closer.rethrow();
      }
    }
  }
}
