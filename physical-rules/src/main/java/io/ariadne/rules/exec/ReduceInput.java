package io.ariadne.rules.exec;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.bridge.shuffle.BlockInput;
import io.ariadne.bridge.shuffle.BlockReader;
import io.ariadne.bridge.vector.SparkBatchIterator;
import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.format.BlockJoin;
import io.ariadne.shuffle.format.EncodedBlock;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.LongConsumer;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * What a reduce task does with the blocks it reads: checks them and puts them together to batches.
 * Shipped to executors.
 *
 * @param schema the columns
 * @param types their Spark types
 * @param batches counts batches
 */
record ReduceInput(Schema schema, DataType[] types, SQLMetric batches) implements BlockReader {
  /** Rows of a full batch: sixteen tiles. */
  private static final int BATCH_ROWS = 32_768;

  private static final long BATCH_BYTES = 8L << 20;

  /** More is no length of a block: their writer cuts them far below. */
  private static final long MAX_BLOCK_BYTES = 4L << 30;

  @Override
  public Iterator<ColumnarBatch> read(
      Iterator<BlockInput> blocks, LongConsumer rows, TaskContext context) {
    return new SparkBatchIterator(
        new Batches(this, blocks, rows, ProcessRuntime.get().pool()), types, context);
  }

  /** The batches of one task. Used by the task thread. */
  private static final class Batches implements BatchSource {
    private final ReduceInput input;
    private final Iterator<BlockInput> blocks;
    private final LongConsumer rows;
    private final BufferAllocator allocator;
    private final BlockJoin join;

    /** A block that is not laid out as those gathered. */
    private EncodedBlock waiting;

    private long sequence;
    private boolean closed;

    Batches(
        ReduceInput input,
        Iterator<BlockInput> blocks,
        LongConsumer rows,
        BufferAllocator allocator) {
      this.input = input;
      this.blocks = blocks;
      this.rows = rows;
      this.allocator = allocator;
      this.join = new BlockJoin(input.schema, allocator);
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
      while (!closed && join.rowCount() < BATCH_ROWS && join.lengthInBytes() < BATCH_BYTES) {
        if (!blocks.hasNext()) {
          break;
        }
        EncodedBlock block = read(blocks.next());
        if (!join.canAdd(block)) {
          waiting = block;
          break;
        }
        join.add(block);
      }
      if (join.lengthInBytes() == 0) {
        return null;
      }
      RecordBatch batch = join.join(sequence++);
      input.batches.add(1);
      return batch;
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
        closer.rethrow();
      }
    }
  }
}
