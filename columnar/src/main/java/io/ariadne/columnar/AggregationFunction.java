package io.ariadne.columnar;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import java.io.Serializable;
import java.util.List;

/**
 * Computes aggregates of groups in the JVM: brings aggregates without a kernel into a pipeline.
 *
 * <p>Immutable and shared by threads; {@link Groups} has the state. The caller has entered the
 * task's context (TaskContext, class loader) before it calls either.
 */
public interface AggregationFunction extends Serializable {
  /** Returns the columns of the aggregates: their buffers or their results. */
  Schema outputSchema();

  /** Returns the columns that {@link Groups} spills and merges: the aggregation buffers. */
  Schema bufferSchema();

  /** Returns a description for explain output and messages. */
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
     * Adds rows to groups. The result may depend on their order.
     *
     * @param rows the columns that the aggregates read, in host memory; stays owned by the caller
     * @param groups one 32-bit group number per row, in host memory; null when all rows belong to
     *     group 0
     * @param groupCount the number of groups now, larger than any group number
     */
    void update(RecordBatch rows, MemoryBuffer groups, int groupCount);

    /**
     * Returns the aggregates of groups. Each group is read once, after the last row.
     *
     * @param first the first group
     * @param count the number of groups; a group without rows has the aggregates of no rows
     * @return the columns of {@link #outputSchema()}, owned by the caller
     */
    List<ColumnVector> read(int first, int count);

    /**
     * Estimates the bytes of the JVM's heap that the groups hold. Measures more exactly, which
     * takes time, only when they may exceed a bound.
     *
     * @param bound bytes that the caller can afford
     * @return an estimate; 0 when the groups are in the allocator's memory
     */
    long heapBytes(long bound);

    /** Returns the bytes of the allocator's memory that the groups take. */
    long memoryBytes();

    /**
     * Returns the buffers of groups and forgets all groups. When the allocator refuses, this throws
     * and the groups stay unchanged. Not called after {@link #read}.
     *
     * @param groups the groups, each at most once, in the order of the rows to return
     * @return the columns of {@link AggregationFunction#bufferSchema()}, owned by the caller
     */
    List<ColumnVector> takeBuffers(int[] groups);

    /**
     * Merges buffers that {@link #takeBuffers} has returned. Merging the buffers of one group in
     * the order in which they were taken gives the result of its rows in their order.
     *
     * @param buffers the columns of {@link AggregationFunction#bufferSchema()}, in host memory;
     *     stays owned by the caller
     * @param firstRow the first row to merge
     * @param groups one 32-bit group number per merged row, in host memory
     * @param rowCount the number of rows to merge
     * @param groupCount the number of groups now, larger than any group number
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
