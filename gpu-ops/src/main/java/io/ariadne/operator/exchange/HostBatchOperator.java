package io.ariadne.operator.exchange;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.DictionaryDecoder;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.UnprocessedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Makes at most one output batch, in host memory, of each input batch; the sequence number stays. A
 * batch for which there was no memory can be taken back and added again.
 */
abstract class HostBatchOperator implements Operator {
  private final Schema schema;
  private final OperatorContext context;
  private final UnprocessedBatch unprocessed = new UnprocessedBatch();
  private RecordBatch output;
  private boolean finishing;

  HostBatchOperator(Schema schema, OperatorContext context) {
    this.schema = schema;
    this.context = context;
  }

  final OperatorContext context() {
    return context;
  }

  /**
   * Returns the output of a batch, or null when there is none.
   *
   * @param batch at least one row, in host memory; stays the caller's. The method may take columns
   *     out of it once it needs no more memory
   */
  abstract RecordBatch outputOf(RecordBatch batch);

  /**
   * Returns a batch with a column of numbers as its last column.
   *
   * @param batch gives its first columns, one fewer than the output has
   * @param numbers one INT32 per row; the batch takes ownership
   */
  final RecordBatch withNumbers(RecordBatch batch, MemoryBuffer numbers) {
    int rows = batch.rowCount();
    List<ColumnVector> columns = new ArrayList<>();
    for (int i = 0; i < schema.columnCount() - 1; i++) {
      columns.add(batch.takeColumn(i));
    }
    columns.add(ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, rows, numbers, null));
    return new RecordBatch(schema, rows, columns, batch.sequence());
  }

  /**
   * Reads the numbers of the rows of a batch.
   *
   * @param column of type INT32, without nulls, as it is or as codes
   * @param reader is called with the address of one number per row
   */
  final void readNumbers(ColumnVector column, LongConsumer reader) {
    if (column.mayHaveNulls() && column.countNulls() > 0) {
      throw new EngineException(ErrorCode.INTERNAL, "a row has no partition number");
    }
    if (column.dictionary() == null) {
      reader.accept(column.data().address());
      return;
    }
    try (ColumnVector decoded = new DictionaryDecoder(context.allocator()).decode(column)) {
      reader.accept(decoded.data().address());
    }
  }

  @Override
  public final Schema outputSchema() {
    return schema;
  }

  @Override
  public final boolean needsInput() {
    return !finishing && output == null;
  }

  @Override
  public final void addInput(RecordBatch batch) {
    if (!needsInput()) {
      batch.close();
      throw new IllegalStateException("the operator does not need input");
    }
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    RecordBatch host = batch;
    try {
      host = context.transfer().moveToHost(batch);
      output = outputOf(host);
    } catch (RuntimeException | Error e) {
      unprocessed.keepOrClose(host, e);
      throw e;
    }
    host.close();
  }

  @Override
  public final RecordBatch takeUnprocessed() {
    return unprocessed.take();
  }

  @Override
  public final RecordBatch getOutput() {
    RecordBatch batch = output;
    output = null;
    return batch;
  }

  /** Returns true: only {@link #addInput} takes memory. */
  @Override
  public final boolean mayRepeat() {
    return true;
  }

  @Override
  public final void finish() {
    finishing = true;
  }

  @Override
  public final boolean isFinished() {
    return finishing && output == null;
  }

  /** Closes the output that was not taken; subclasses also close their own resources. */
  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(output);
    output = null;
    closer.close(unprocessed);
    closer.rethrow();
  }
}
