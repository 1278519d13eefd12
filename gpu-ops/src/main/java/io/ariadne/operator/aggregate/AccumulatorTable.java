package io.ariadne.operator.aggregate;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.tile.TileProgramKernel.Accumulators;
import io.ariadne.operator.OperatorContext;

/**
 * The accumulator records of all groups, in one growing buffer; one more record, after the last
 * group's, takes what dropped rows leave. Used by one thread at a time.
 *
 * <p>The records are where kernels see them until {@link #moveToHost()}; only after that can they
 * be read and combined.
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

  /** Makes sure there are records of no rows for groups up to a count. */
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
   * Moves the records to where the host reads them; programs get them no more.
   *
   * @param picked the long strings they refer to, on the host, which stay the caller's; or null
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

  /** Returns the address of a group's record, which is on the host. */
  long address(int group) {
    if (!isOnHost) {
      throw new IllegalStateException("the records are not on the host");
    }
    return records.address() + (long) group * stride;
  }

  /** Returns the address of the long strings that records refer to, which is on the host. */
  long textAddress() {
    return texts.address();
  }

  /** Adds a record of another table to one of this; both tables are on the host. */
  void combine(int group, AccumulatorTable other, int otherGroup) {
    layout.combine(address(group), other.address(otherGroup));
  }

  /** Returns the records where kernels see them; there are some. */
  MemoryBuffer buffer() {
    return records;
  }

  /** Forgets all groups; keeps its size. */
  void reset() {
    groupCount = 0;
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
