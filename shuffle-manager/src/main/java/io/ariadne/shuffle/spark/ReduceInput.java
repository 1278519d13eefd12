package io.ariadne.shuffle.spark;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.bridge.vector.SparkBatchIterator;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
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
 * What a reduce task does with what it reads: checks blocks and puts them together to batches, and
 * so with rows that its process keeps. Shipped to executors.
 *
 * @param schema the columns
 * @param types their Spark types
 * @param batches counts batches
 */
public record ReduceInput(Schema schema, DataType[] types, SQLMetric batches)
    implements BlockReader {
  /** Rows of a full batch: sixteen tiles. */
  static final int BATCH_ROWS = 32_768;

  static final long BATCH_BYTES = 8L << 20;

  /** More is no length of a block: their writer cuts them far below. */
  private static final long MAX_BLOCK_BYTES = 4L << 30;

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
    private final BlockConcatenator join;
    private final LocalRowsInput kept;

    /** A block that is not laid out as those gathered. */
    private EncodedBlock waiting;

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
      this.join = new BlockConcatenator(input.schema, allocator);
      this.kept = new LocalRowsInput(input.schema, runtime);
    }

    @Override
    public Schema schema() {
      return input.schema;
    }

    @Override
    public RecordBatch next() {
      if (waiting != null) {
        join.add(waiting);
        waiting = null;
      }
      RecordBatch batch = null;
      while (batch == null && !closed && !isFull() && blocks.hasNext()) {
        BlockInput block = blocks.next();
        batch = block.areRows() ? nextOfRows(block) : nextOfBlocks(block);
      }
      batch = batch == null ? rest() : batch;
      if (batch != null) {
        input.batches.add(1);
      }
      return batch;
    }

    private boolean isFull() {
      return join.rowCount() >= batchRows || join.lengthInBytes() >= BATCH_BYTES;
    }

    /** Returns what is gathered, or null. */
    private RecordBatch rest() {
      if (!kept.isEmpty()) {
        return kept.take(sequence++);
      }
      return join.lengthInBytes() == 0 ? null : join.join(sequence++);
    }

    /** Takes rows; returns a batch, without them, if one is due. Blocks follow rows, if at all. */
    private RecordBatch nextOfRows(BlockInput block) {
      RetainedRows taken = take(block);
      rows.accept(taken.count());
      RecordBatch batch = kept.add(taken, sequence);
      sequence += batch == null ? 0 : 1;
      return batch;
    }

    /** Takes a block; returns a batch, without it, if one is due. */
    private RecordBatch nextOfBlocks(BlockInput block) {
      EncodedBlock encoded = read(block);
      if (kept.isEmpty() && join.canAdd(encoded)) {
        join.add(encoded);
        return null;
      }
      waiting = encoded;
      return rest();
    }

    /** Takes rows; damaged ones make Spark run the map task again. */
    private static RetainedRows take(BlockInput block) {
      try {
        return block.takeRows();
      } catch (EngineException e) {
        throw e.code() == ErrorCode.CORRUPT_DATA ? UndeclaredExceptions.raise(block.failure(e)) : e;
      }
    }

    /** Reads a block; a damaged one makes Spark run the map task again. */
    private EncodedBlock read(BlockInput block) {
      try {
        EncodedBlock encoded = EncodedBlock.check(bytes(block));
        rows.accept(encoded.rowCount());
        return encoded;
      } catch (UncheckedIOException e) {
        throw UndeclaredExceptions.raise(block.failure(e));
      } catch (EngineException e) {
        throw e.code() == ErrorCode.CORRUPT_DATA ? UndeclaredExceptions.raise(block.failure(e)) : e;
      }
    }

    private MemoryBuffer bytes(BlockInput block) {
      long length = block.lengthInBytes();
      if (length < EncodedBlock.HEADER_BYTES || length > MAX_BLOCK_BYTES) {
        throw new EngineException(
            ErrorCode.CORRUPT_DATA, "a block of an exchange with a length of " + length);
      }
      return block.take(allocator);
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        Closer closer = new Closer();
        closer.close(waiting);
        waiting = null;
        closer.close(join);
        closer.close(kept);
        closer.rethrow();
      }
    }
  }
}
