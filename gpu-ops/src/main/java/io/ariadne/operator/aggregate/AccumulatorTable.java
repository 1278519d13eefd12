package io.ariadne.operator.aggregate;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.tile.TileProgramKernel.Accumulators;
import io.ariadne.operator.OperatorContext;

/**
 * Holds the accumulator records of all groups in one growing buffer. One more record, after the
 * last group's, takes the updates of rows that a filter drops. Used by one thread at a time.
 *
 * <p>The records are in kernel memory until {@link #moveToHost}. Only after that can the host read
 * and combine them.
 */
final class AccumulatorTable implements AutoCloseable {
  private static final int INITIAL_RECORDS = 64;

  private final AccumulatorLayout layout;
  private final OperatorContext context;
  private final int stride;
  private MemoryBuffer records;
  private MemoryBuffer texts;
  private boolean isOnHost;
  private int capacity;
  private int groupCount;

  AccumulatorTable(AccumulatorLayout layout, OperatorContext context) {
    this.layout = layout;
    this.context = context;
    this.stride = layout.strideInBytes();
    this.isOnHost = context.backend().tier() == MemoryTier.HOST;
  }

  /**
   * Makes sure that the table has records for so many groups; new ones are records without rows.
   */
  void ensure(int newGroupCount) {
    if (records != null && newGroupCount == groupCount) {
      return;
    }
    int needed = newGroupCount + 1;
    if (needed > capacity) {
      grow(Math.max(needed, Math.max(INITIAL_RECORDS, capacity * 2)));
    }
    initialize(groupCount, newGroupCount);
    groupCount = newGroupCount;
  }

  private void initialize(int firstGroup, int endGroup) {
    if (firstGroup == endGroup) {
      return;
    }
    if (isOnHost) {
      layout.initialize(address(firstGroup), endGroup - firstGroup);
      return;
    }
    long length = (long) (endGroup - firstGroup) * stride;
    try (MemoryBuffer host = context.allocator().allocate(length)) {
      layout.initialize(host.address(), endGroup - firstGroup);
      context.backend().write(host.address(), records, (long) firstGroup * stride, length);
    }
  }

  private void grow(int newCapacity) {
    Backend backend = context.backend();
    MemoryBuffer larger =
        (isOnHost ? context.allocator() : context.kernelAllocator())
            .allocate((long) newCapacity * stride);
    ColumnTransfer.filled(larger, () -> copyTo(larger, backend));
    if (records != null) {
      records.close();
    }
    records = larger;
    capacity = newCapacity;
  }

  private void copyTo(MemoryBuffer larger, Backend backend) {
    long length = (long) groupCount * stride;
    if (records != null && isOnHost) {
      Memory.copy(records.address(), larger.address(), length);
    } else if (records != null) {
      backend.copy(records, larger, length);
    }
  }

  /**
   * Moves the records to host memory. Tile programs must not update them any more.
   *
   * @param picked long strings that the records refer to, in host memory; stay the caller's; null
   *     when there are none
   */
  void moveToHost(MemoryBuffer picked) {
    texts = picked;
    if (isOnHost) {
      return;
    }
    if (records != null) {
      MemoryBuffer host = context.transfer().copyToHost(records);
      records.close();
      records = host;
    }
    isOnHost = true;
  }

  /** Returns the address of a group's record in host memory, after {@link #moveToHost}. */
  long address(int group) {
    if (!isOnHost) {
      throw new IllegalStateException("the records are not on the host");
    }
    return records.address() + (long) group * stride;
  }

  /** Returns the address of the long strings that the records refer to, in host memory. */
  long textAddress() {
    return texts.address();
  }

  /** Adds a record of another table to a record of this table; both tables are in host memory. */
  void combine(int group, AccumulatorTable other, int otherGroup) {
    layout.combine(address(group), other.address(otherGroup));
  }

  /** Returns the records in kernel memory; there is at least one. */
  MemoryBuffer buffer() {
    return records;
  }

  /** Removes all groups; keeps the buffer. */
  void reset() {
    groupCount = 0;
  }

  /** Returns the records in the form in which tile programs take them. */
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
