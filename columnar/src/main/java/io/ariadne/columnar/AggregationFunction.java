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

  /** Returns the columns as which groups are put away and taken in again: their buffers. */
  Schema bufferSchema();

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

    /**
     * Returns about how many bytes of the JVM's heap the groups hold. Looks closer, which costs,
     * only when they may be more than a bound.
     *
     * @param bound what the caller can afford, in bytes
     * @return an estimate; 0 when the groups lie in the allocator's memory
     */
    long heapBytes(long bound);

    /** Returns how many bytes of the allocator's memory the groups take. */
    long memoryBytes();

    /**
     * Reads the buffers of groups that are forgotten then, but for one case: when this throws
     * because the allocator refuses, the groups are as they were. Not on groups that were {@link
     * #read}.
     *
     * @param groups the groups, each at most once, in the order of the rows wanted
     * @return the columns of {@link AggregationFunction#bufferSchema()}, owned by the caller
     */
    List<ColumnVector> takeBuffers(int[] groups);

    /**
     * Takes groups in that {@link #takeBuffers} has put away. Merging those of one group in the
     * order in which they were put away gives what its rows in their order give.
     *
     * @param buffers the columns of {@link AggregationFunction#bufferSchema()}, in host memory;
     *     stays owned by the caller
     * @param firstRow the first row to take
     * @param groups one 32-bit group number per row that is taken, in host memory
     * @param rowCount how many rows are taken
     * @param groupCount how many groups there are now, at least one more than any number
     */
    void merge(
        RecordBatch buffers, int firstRow, MemoryBuffer groups, int rowCount, int groupCount);

    /** Forgets all groups. */
    void reset();

    /** Frees the groups. */
    @Override
    void close();
  }
}
