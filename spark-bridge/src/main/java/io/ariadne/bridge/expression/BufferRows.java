package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The aggregation buffers of groups: one row per group, numbered from 0. */
abstract class BufferRows implements AutoCloseable {
  private final SparkAggregateCode code;

  private BufferRows(SparkAggregateCode code) {
    this.code = code;
  }

  /**
   * Creates an empty set of rows. They are flat, in the allocator's memory, if Spark can update
   * them in place.
   */
  static BufferRows create(SparkAggregateCode code, BufferAllocator allocator) {
    boolean isFlat = Arrays.stream(code.bufferTypes()).allMatch(UnsafeRow::isMutable);
    return isFlat ? new Flat(code, allocator) : new Objects(code);
  }

  /** Ensures that there are at least so many rows. New rows contain the initial buffers. */
  abstract void ensure(int count);

  /** Returns a row to read and change; valid until the next call. */
  abstract InternalRow row(int group);

  /** Returns whether the rows are in the allocator's memory. */
  abstract boolean isFlat();

  /** Returns the bytes of the allocator's memory that the rows take. */
  abstract long memoryBytes();

  /** Removes all rows. */
  abstract void reset();

  @Override
  public abstract void close();

  /** Returns a new row with the initial buffers. */
  final InternalRow newRow() {
    InternalRow row = new SpecificInternalRow(ScalaCollections.seq(List.of(code.bufferTypes())));
    code.initialize(row);
    return row;
  }

  /** Rows of equal length in one growing buffer. */
  private static final class Flat extends BufferRows {
    private static final int INITIAL_ROWS = 16;

    private final BufferAllocator allocator;
    private final UnsafeRow view;
    private final byte[] empty;
    private MemoryBuffer rows;
    private int count;
    private int capacity;

    Flat(SparkAggregateCode code, BufferAllocator allocator) {
      super(code);
      this.allocator = allocator;
      this.view = new UnsafeRow(code.bufferTypes().length);
      this.empty = UnsafeProjection.create(code.bufferTypes()).apply(newRow()).getBytes();
    }

    @Override
    void ensure(int newCount) {
      if (newCount > capacity) {
        grow(Math.max(newCount, Math.max(INITIAL_ROWS, capacity * 2)));
      }
      for (; count < newCount; count++) {
        rows.putBytes((long) count * empty.length, empty, 0, empty.length);
      }
    }

    private void grow(int newCapacity) {
      MemoryBuffer larger = allocator.allocate((long) newCapacity * empty.length);
      if (rows != null) {
        Memory.copy(rows.address(), larger.address(), (long) count * empty.length);
        rows.close();
      }
      rows = larger;
      capacity = newCapacity;
    }

    @Override
    InternalRow row(int group) {
      view.pointTo(null, rows.address() + (long) group * empty.length, empty.length);
      return view;
    }

    @Override
    boolean isFlat() {
      return true;
    }

    @Override
    long memoryBytes() {
      return (long) capacity * empty.length;
    }

    @Override
    void reset() {
      count = 0;
    }

    @Override
    public void close() {
      if (rows != null) {
        rows.close();
        rows = null;
      }
    }
  }

  /** Rows with objects: strings, nested values, and the state of imperative aggregates. */
  private static final class Objects extends BufferRows {
    private final List<InternalRow> rows = new ArrayList<>();

    Objects(SparkAggregateCode code) {
      super(code);
    }

    @Override
    void ensure(int count) {
      while (rows.size() < count) {
        rows.add(newRow());
      }
    }

    @Override
    InternalRow row(int group) {
      return rows.get(group);
    }

    @Override
    boolean isFlat() {
      return false;
    }

    @Override
    long memoryBytes() {
      return 0;
    }

    @Override
    void reset() {
      rows.clear();
    }

    @Override
    public void close() {
      rows.clear();
    }
  }
}
