package io.ariadne.operator.limit;

import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.UnprocessedBatch;

/**
 * Skips the first rows of its input and finishes after a number of further rows. Batches pass
 * unchanged, except the at most two of which only a part is emitted.
 */
final class LimitOperator implements Operator {
  private final Schema schema;
  private final OperatorContext context;
  private long toSkip;
  private long remaining;
  private final UnprocessedBatch unprocessed = new UnprocessedBatch();
  private RecordBatch output;
  private boolean isFinishing;

  LimitOperator(Schema schema, long offset, long count, OperatorContext context) {
    this.schema = schema;
    this.toSkip = offset;
    this.remaining = count;
    this.context = context;
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public boolean needsInput() {
    return output == null && remaining > 0 && !isFinishing;
  }

  @Override
  public void addInput(RecordBatch batch) {
    int rows = batch.rowCount();
    int first = (int) Math.min(rows, toSkip);
    int count = (int) Math.min(rows - first, remaining);
    output = count == rows && rows > 0 ? batch : partOf(batch, first, count);
    toSkip -= first;
    remaining -= count;
  }

  /** Returns a copy of consecutive rows, or null for no rows; takes the batch, also on failure. */
  private RecordBatch partOf(RecordBatch batch, int first, int count) {
    RecordBatch host = batch;
    RecordBatch part = null;
    try {
      if (count > 0) {
        host = context.transfer().moveToHost(batch);
        part = part(host, first, count);
      }
    } catch (RuntimeException | Error e) {
      unprocessed.keepOrClose(host, e);
      throw e;
    }
    host.close();
    return part;
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return unprocessed.take();
  }

  /** Returns true: only {@link #addInput} takes memory. */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  /** Returns a copy of consecutive rows of a batch in host memory, which stays the caller's. */
  private RecordBatch part(RecordBatch whole, int first, int count) {
    try (GatherKernel gather = new GatherKernel(context.backend().host(), context.allocator());
        MemoryBuffer numbers = context.allocator().allocate((long) count * Integer.BYTES)) {
      for (int i = 0; i < count; i++) {
        numbers.putInt((long) i * Integer.BYTES, first + i);
      }
      RowGather rows = new RowGather(gather, context.allocator());
      return new HeapCompaction(context.allocator()).compact(rows.gather(whole, numbers, count));
    }
  }

  @Override
  public RecordBatch getOutput() {
    RecordBatch taken = output;
    output = null;
    return taken;
  }

  @Override
  public void finish() {
    isFinishing = true;
  }

  @Override
  public boolean isFinished() {
    return output == null && (isFinishing || remaining == 0);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(output);
    output = null;
    closer.close(unprocessed);
    closer.rethrow();
  }
}
