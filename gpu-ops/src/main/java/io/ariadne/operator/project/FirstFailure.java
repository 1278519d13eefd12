package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * The error that row-by-row evaluation of a batch would raise first.
 *
 * <p>Expressions are evaluated one after the other over whole batches, so the first error that
 * occurs may be the error of a late row. A binary search finds the first row that fails; the replay
 * of this row gives its first error.
 *
 * @param row the first row that fails
 * @param error what it raises
 */
public record FirstFailure(int row, Exception error) {
  /** Evaluates a step over some rows of a batch. */
  interface Attempt {
    /**
     * Evaluates the step and drops the result.
     *
     * @param part rows of the batch in host memory, owned by this call
     */
    void run(RecordBatch part);
  }

  /**
   * Finds the first failure.
   *
   * @param step the step that failed
   * @param batch its input; stays the caller's
   * @param seen the error that occurred
   * @param attempt evaluates the step
   * @param selection copies rows of columns
   * @param context gives memory and the replay
   */
  static FirstFailure of(
      ProjectionStep step,
      RecordBatch batch,
      Exception seen,
      Attempt attempt,
      NestedSelection selection,
      OperatorContext context) {
    int first = 0;
    int count = batch.rowCount();
    Exception error = seen;
    while (count > 1) {
      int half = count / 2;
      Exception failure = failure(attempt, rows(batch, first, half, selection, context));
      if (failure == null) {
        first += half;
        count -= half;
      } else {
        error = failure;
        count = half;
      }
    }
    boolean isKernels = step.stages().isEmpty();
    try (RecordBatch row = rows(batch, first, 1, selection, context)) {
      for (int origin : step.origins()) {
        context.errorReplay().raiseFirst(origin, row, 0);
      }
    } catch (Exception e) {
      rethrowIfNotOfARow(e);
      return new FirstFailure(first, e);
    }
    return new FirstFailure(first, isKernels ? seen : error);
  }

  private static Exception failure(Attempt attempt, RecordBatch part) {
    try {
      attempt.run(part);
      return null;
    } catch (Exception e) {
      rethrowIfNotOfARow(e);
      return e;
    }
  }

  /** Throws an exception unless the values of a row caused it. */
  public static void rethrowIfNotOfARow(Exception e) {
    if (e instanceof CancellationException cancelled) {
      throw cancelled;
    }
    if (e instanceof EngineException engine && engine.code() != ErrorCode.USER) {
      throw engine;
    }
  }

  /** Copies consecutive rows of a batch to host memory. */
  static RecordBatch rows(
      RecordBatch batch, int first, int count, NestedSelection selection, OperatorContext context) {
    List<ColumnVector> columns = new ArrayList<>();
    try (ColumnVector numbers = numbers(first, count, context)) {
      for (int i = 0; i < batch.columnCount(); i++) {
        columns.add(selection.select(batch.column(i), numbers, count));
      }
    } catch (RuntimeException | Error e) {
      columns.forEach(ColumnVector::close);
      throw e;
    }
    return new RecordBatch(batch.schema(), count, columns, batch.sequence());
  }

  private static ColumnVector numbers(int first, int count, OperatorContext context) {
    MemoryBuffer numbers = context.allocator().allocate(PhysicalType.I32.dataLengthInBytes(count));
    for (int i = 0; i < count; i++) {
      Memory.putInt(numbers.address() + (long) i * Integer.BYTES, first + i);
    }
    return ColumnVector.flat(PrimitiveType.INT32, PhysicalType.I32, count, numbers, null);
  }
}
