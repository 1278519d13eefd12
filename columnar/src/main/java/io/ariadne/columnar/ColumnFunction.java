package io.ariadne.columnar;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.DataType;
import java.io.Serializable;

/**
 * Computes a column from columns in the JVM: brings expressions without a kernel into a pipeline.
 *
 * <p>Instances are shared by threads and keep per-thread state, if any, themselves. The caller has
 * entered the task's context (TaskContext, class loader) before it calls.
 */
public interface ColumnFunction extends Serializable {
  /** Returns the type of the result. */
  DataType resultType();

  /** Returns a description for explain output and messages. */
  String description();

  /**
   * Returns whether the value of a row depends only on the arguments of this row: neither on other
   * rows, their order or number, nor on chance. Such a function may be called once for equal
   * arguments, and again after a failure.
   */
  default boolean dependsOnItsRowOnly() {
    return false;
  }

  /**
   * Returns whether one instance must get all rows of one input in order, each once, by one thread
   * at a time, because a value may depend on earlier rows.
   */
  default boolean needsOrder() {
    return false;
  }

  /**
   * Computes one value per row.
   *
   * @param arguments the argument columns; stays owned by the caller
   * @param allocator where the result's buffers come from
   * @return a column of {@code arguments.rowCount()} rows, owned by the caller
   */
  ColumnVector apply(RecordBatch arguments, BufferAllocator allocator);
}
