package io.ariadne.columnar;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import java.io.Serializable;
import java.util.List;

/**
 * Aggregates of groups of rows that the JVM computes: how aggregates without a kernel join a
 * pipeline.
 *
 * <p>Immutable and shared by threads; what is aggregated is in {@link Groups}. The caller has
 * entered the task's context (TaskContext, class loader) before it calls either.
 */
public interface AggregationFunction extends Serializable {
  /** Returns the columns of the aggregates: their buffers or their results. */
  Schema outputSchema();

  /** Returns what the function is, for explain output and messages. */
  String description();

  /**
   * Creates an aggregation of no rows.
   *
   * @param allocator where its memory and the columns of its output come from; host memory
   * @return owned by the caller
   */
  Groups newGroups(BufferAllocator allocator);

  /** The groups of one aggregation. Used by one thread at a time. */
  interface Groups extends AutoCloseable {
    /**
     * Takes rows in. What is aggregated may depend on their order.
     *
     * @param rows the columns the aggregates read, in host memory; stays owned by the caller
     * @param groups one 32-bit group number per row, in host memory; null when all are of group 0
     * @param groupCount how many groups there are now, at least one more than any number
     */
    void update(RecordBatch rows, MemoryBuffer groups, int groupCount);

    /**
     * Returns the aggregates of groups. Each group is read once, after the last row.
     *
     * @param first the first group
     * @param count how many; groups that never had a row have the aggregates of no rows
     * @return the columns of {@link #outputSchema()}, owned by the caller
     */
    List<ColumnVector> read(int first, int count);

    /** Frees the groups. */
    @Override
    void close();
  }
}
