package io.ariadne.operator;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.tile.TileProgramKernel.Accumulators;

/**
 * The accumulator records of all groups, in one growing buffer; one more record, after the last
 * group's, takes what dropped rows leave. Used by one thread at a time; in host memory.
 */
final class AccumulatorTable implements AutoCloseable {
  private static final int INITIAL_RECORDS = 64;

  private final AccumulatorLayout layout;
  private final OperatorContext context;
  private final int stride;
  private MemoryBuffer records;
  private int capacity;
  private int groupCount;

  AccumulatorTable(AccumulatorLayout layout, OperatorContext context) {
    this.layout = layout;
    this.context = context;
    this.stride = layout.strideInBytes();
  }

  /** Makes sure there are records of no rows for groups up to a count. */
  void ensure(int newGroupCount) {
    if (records != null && newGroupCount == groupCount) {
      return;
    }
    int needed = newGroupCount + 1;
    if (needed > capacity) {
      grow(Math.max(needed, Math.max(INITIAL_RECORDS, capacity * 2)));
    }
    for (int group = groupCount; group < newGroupCount; group++) {
      layout.initialize(address(group));
    }
    groupCount = newGroupCount;
  }

  private void grow(int newCapacity) {
    MemoryBuffer larger = context.allocator().allocateZeroed((long) newCapacity * stride);
    if (records != null) {
      Memory.copy(records.address(), larger.address(), (long) groupCount * stride);
      records.close();
    }
    records = larger;
    capacity = newCapacity;
  }

  /** Returns the address of a group's record. */
  long address(int group) {
    return records.address() + (long) group * stride;
  }

  /** Adds a record of another table to one of this. */
  void combine(int group, AccumulatorTable other, int otherGroup) {
    layout.combine(address(group), other.address(otherGroup));
  }

  /** Returns what programs are given. */
  Accumulators accumulators() {
    return new Accumulators(records, groupCount);
  }

  int groupCount() {
    return groupCount;
  }

  @Override
  public void close() {
    if (records != null) {
      records.close();
      records = null;
    }
  }
}
