package io.ariadne.operator.limit;

import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;

/**
 * Skips the first rows of its input and finishes after a number of further rows. Batches pass
 * unchanged, except the at most two of which only a part is emitted.
 */
final class LimitOperator implements Operator {
  private final Schema schema;
  private final OperatorContext context;
  private long toSkip;
  private long remaining;
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
    toSkip -= first;
    remaining -= count;
    if (count == rows && rows > 0) {
      output = batch;
      return;
    }
    try (batch) {
      output = count == 0 ? null : part(batch, first, count);
    }
  }

  /** Returns a copy of consecutive rows, in host memory; closes the batch. */
  private RecordBatch part(RecordBatch batch, int first, int count) {
    try (RecordBatch whole = context.transfer().toHost(batch);
        GatherKernel gather = new GatherKernel(context.backend().host(), context.allocator());
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
    if (output != null) {
      output.close();
      output = null;
    }
  }
}
