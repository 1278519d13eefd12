package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.kernel.column.RowGather;
import io.ariadne.operator.OperatorContext;

/**
 * Gathers rows of columns by row number: of flat columns where kernels run, of nested columns on
 * the host. Used by one thread at a time.
 */
final class PairGather implements AutoCloseable {
  private final OperatorContext context;
  private final GatherKernel kernel;
  private GatherKernel hostKernel; // null until the first nested column

  PairGather(OperatorContext context) {
    this.context = context;
    this.kernel = new GatherKernel(context.backend(), context.kernelAllocator());
  }

  /** Returns whether a column is nested: kernels cannot move its values. */
  static boolean isNested(ColumnVector column) {
    return column.physicalType() == PhysicalType.OFFSETS
        || column.physicalType() == PhysicalType.NONE;
  }

  /**
   * Gathers rows. Whether the numbers were right is known after {@link #check}.
   *
   * @param column where kernels see it, a nested one on the host; stays the caller's
   * @param rows 32-bit numbers that kernels see
   * @param count how many
   * @param mayMiss whether a number may mean null ({@code GATHER_NULL_INDEX}); false for lists and
   *     structs
   * @return a column owned by the caller
   */
  ColumnVector gather(ColumnVector column, MemoryBuffer rows, int count, boolean mayMiss) {
    if (isNested(column)) {
      return gatherNested(column, rows, count);
    }
    return kernel.queue(column, rows, count, mayMiss);
  }

  private ColumnVector gatherNested(ColumnVector column, MemoryBuffer rows, int count) {
    // not closed: its memory is the caller's
    ColumnVector numbers = numbers(rows, count);
    ColumnVector copy =
        context.transfer().isOnHost(numbers) ? null : context.transfer().copyToHost(numbers);
    try {
      return new RowGather(hostKernel(), context.allocator())
          .gather(column, copy == null ? rows : copy.data(), count);
    } finally {
      if (copy != null) {
        copy.close();
      }
    }
  }

  /** Gathers numbers of a list by position; the result is owned by the caller. */
  MemoryBuffer pick(MemoryBuffer list, int length, MemoryBuffer places, int count) {
    // not closed: its memory is the caller's, or belongs to the result
    return kernel.queue(numbers(list, length), places, count, false).data();
  }

  private static ColumnVector numbers(MemoryBuffer list, int length) {
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, length, list, null);
  }

  /**
   * Waits for all gathers since the last check.
   *
   * @throws io.ariadne.error.EngineException INTERNAL when a number was not a row of its column
   */
  void check() {
    kernel.check();
  }

  private GatherKernel hostKernel() {
    if (hostKernel == null) {
      hostKernel = new GatherKernel(context.backend().host(), context.allocator());
    }
    return hostKernel;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(hostKernel);
    closer.close(kernel);
    closer.rethrow();
  }
}
