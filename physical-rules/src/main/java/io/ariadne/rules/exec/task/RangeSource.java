package io.ariadne.rules.exec.task;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.LongBuilder;
import io.ariadne.columnar.type.Schema;
import java.util.function.LongConsumer;

/** Equally distant integers: a partition of Spark's {@code RangeExec}. Not thread-safe. */
final class RangeSource implements BatchSource {
  private final Schema schema;
  private final BufferAllocator allocator;
  private final int batchRows;
  private final LongConsumer given;
  private final long step;
  private long next;
  private long left;
  private long sequence;

  /**
   * Creates a source.
   *
   * @param values the values; modulo 2^64, so that an end beyond the integers does no harm
   * @param schema one column of 64-bit integers
   * @param allocator where buffers come from
   * @param batchRows rows of a full batch, at least 1
   * @param given is called with the rows of each batch
   */
  RangeSource(
      Values values, Schema schema, BufferAllocator allocator, int batchRows, LongConsumer given) {
    this.schema = schema;
    this.allocator = allocator;
    this.batchRows = batchRows;
    this.given = given;
    this.step = values.step();
    this.next = values.first();
    this.left = values.count();
  }

  /**
   * Equally distant integers.
   *
   * @param first the first integer
   * @param step the distance from one integer to the next
   * @param count how many there are; not negative
   */
  record Values(long first, long step, long count) {
    Values {
      if (count < 0) {
        throw new IllegalArgumentException(count + " integers");
      }
    }
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public RecordBatch next() {
    if (left == 0) {
      return null;
    }
    int rows = (int) Math.min(left, batchRows);
    try (BatchBuilder builder = new BatchBuilder(schema, allocator)) {
      builder.reserve(rows);
      LongBuilder column = (LongBuilder) builder.column(0);
      for (int i = 0; i < rows; i++) {
        column.append(next + i * step);
      }
      RecordBatch batch = builder.build(sequence++);
      next += rows * step;
      left -= rows;
      given.accept(rows);
      return batch;
    }
  }

  @Override
  public void close() {
    left = 0;
  }
}
